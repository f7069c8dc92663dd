"""The real model in its real process: ready, answering, cancelled, crashed, orphaned (RUN3)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import subprocess
import sys
import time

import httpx
import psutil  # type: ignore[import-untyped]
import pytest

from agdesk.core.ir.messages import user
from agdesk.core.ir.partial import PartialMessageResponse
from agdesk.core.ir.request import MessageRequest
from agdesk.core.providers.catalogue import cost_usd
from agdesk.core.providers.llama_child import starter_gguf
from agdesk.core.providers.llama_server import LlamaOptions, LlamaServer, LlamaState
from agdesk.core.providers.registry import ProviderRegistry
from agdesk.core.trace.events import TraceRecord
from agdesk.core.trace.recorder import Recorder, RequestTrace
from agdesk.core.trace.wire import RequestSent

pytestmark = [pytest.mark.model, pytest.mark.timeout(150)]
READY_LIMIT_S = 20.0  # 0.7 s on an idle machine
LONG = {"max_tokens": 2000, "temperature": 0, "ignore_eos": True}


@contextlib.asynccontextmanager
async def serving(tmp_path, n_ctx=2048):
    server = LlamaServer(lambda: LlamaOptions(starter_gguf(), n_ctx), log_file=tmp_path / "builtin-model.log")
    try:
        yield server
    finally:
        await server.aclose()


@contextlib.asynccontextmanager
async def connected(server):
    base_url, key = await server.acquire()
    headers = {"Authorization": f"Bearer {key}", "Connection": "close"}
    async with httpx.AsyncClient(base_url=base_url, headers=headers, trust_env=False, timeout=30) as client:
        yield client


def question(**options):
    return {
        "model": "smollm2-135m",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Say hello in French."}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 16,
        **options,
    }


async def frames_of(client, **options):
    async with client.stream("POST", "/chat/completions", json=question(**options)) as response:
        assert response.status_code == 200
        async for line in response.aiter_lines():
            if line.startswith("data: ") and line != "data: [DONE]":
                yield json.loads(line[6:])


async def text_of(client, **options):
    frames = [frame async for frame in frames_of(client, **options)]
    deltas = [choice["delta"].get("content") or "" for frame in frames for choice in frame["choices"]]
    return "".join(deltas), frames


def model_processes(parent=None):
    children = psutil.Process(parent).children()
    return [child for child in children if not has_ended(child) and "serve-model" in child.cmdline()]


def has_ended(process):
    try:
        return process.status() == psutil.STATUS_ZOMBIE  # ended, and nobody has asked for its status yet
    except psutil.NoSuchProcess:
        return True


async def until(condition, limit_s):
    end = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < end, "it did not come about in time"
        await asyncio.sleep(0.02)


async def test_it_is_ready_soon_and_answers_with_usage_under_its_own_name(tmp_path):
    async with serving(tmp_path) as server:
        start = time.perf_counter()
        await server.acquire()
        assert time.perf_counter() - start < READY_LIMIT_S
        async with connected(server) as client:
            text, frames = await text_of(client)
        assert text.strip()
        assert {frame["model"] for frame in frames} == {"smollm2-135m"}
        usage = frames[-1]["usage"]
        assert usage["prompt_tokens"] > 0
        assert 0 < usage["completion_tokens"] <= 16


async def test_it_goes_on_with_the_beginning_of_an_answer(tmp_path):
    """A07: no turn is opened after it, and the text goes on where it ends."""
    begun = {"role": "assistant", "content": "The capital of France is"}
    question_only = [{"role": "user", "content": "What is the capital of France?"}]
    async with serving(tmp_path) as server, connected(server) as client:
        _, alone = await text_of(client, messages=question_only, temperature=0)
        text, frames = await text_of(client, messages=[*question_only, begun], temperature=0)
    assert text.startswith(" Paris")
    added_tokens = frames[-1]["usage"]["prompt_tokens"] - alone[-1]["usage"]["prompt_tokens"]
    assert added_tokens == 5, "those of the text, and none of a further turn"


async def test_nobody_else_on_this_machine_can_use_it(tmp_path):
    async with serving(tmp_path) as server, httpx.AsyncClient(trust_env=False) as stranger:
        base_url, _ = await server.acquire()
        assert base_url.startswith("http://127.0.0.1:")
        answer = await stranger.post(f"{base_url}/chat/completions", json=question())
        assert answer.status_code == 401


async def test_the_key_is_in_no_argument_and_in_no_variable_of_the_child(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-123456")
    async with serving(tmp_path) as server:
        _, key = await server.acquire()
        (child,) = model_processes()
        seen = json.dumps([child.cmdline(), child.environ()])
        assert key not in seen
        assert "sk-canary-123456" not in seen
        assert key not in "\n".join(server.log_lines())


async def test_it_computes_with_less_right_to_the_processor_than_the_window(tmp_path):
    async with serving(tmp_path) as server:
        await server.acquire()
        (child,) = model_processes()
        assert child.nice() == min(psutil.Process().nice() + 10, 19)


async def test_ten_answers_in_a_row_lose_no_connection(tmp_path):
    async with serving(tmp_path) as server, connected(server) as client:
        for _ in range(10):
            text, _ = await text_of(client, max_tokens=4)
            assert text
            await asyncio.sleep(0.14)  # when a kept connection would be closed by the server


async def test_through_the_registry_it_answers_ten_times_in_a_row_for_nothing_each_on_its_own_connection(tmp_path):
    registry = ProviderRegistry(data_folder=tmp_path)
    recorder = Recorder("session")
    records: list[TraceRecord] = []
    recorder.records.subscribe(records.append)
    try:
        provider = await asyncio.to_thread(registry.get, "builtin")
        for number in range(10):
            partial = PartialMessageResponse()
            request = MessageRequest("smollm2-135m", (user("Say hello."),), max_tokens=4)
            async for event in provider.chat_stream(request, trace=RequestTrace(recorder, f"request-{number}")):
                partial.apply(event)
            response = partial.finalize()
            assert response.text()
            assert response.error is None
            assert response.usage.prompt_tokens
            model = registry.table.info("builtin", "smollm2-135m")
            assert cost_usd(registry.row("builtin"), model, response.usage) == 0.0
    finally:
        await registry.aclose()
    assert model_processes() == []
    sent = [record.payload for record in records if isinstance(record.payload, RequestSent)]
    # the server closes a kept connection a moment after the answer, just when the next request may be on its way
    assert [dict(request.headers)["connection"] for request in sent] == ["close"] * 10


async def test_a_stopped_answer_frees_the_model_at_once(tmp_path):
    async with serving(tmp_path, n_ctx=4096) as server, connected(server) as client:
        async with contextlib.aclosing(frames_of(client, **LONG)) as frames:
            for _ in range(5):
                await anext(frames)
        start = time.perf_counter()
        await text_of(client, max_tokens=1)
        assert time.perf_counter() - start < 5  # the rest of the long answer would take longer


async def test_too_long_a_prompt_is_told_as_such(tmp_path):
    async with serving(tmp_path, n_ctx=512) as server, connected(server) as client:
        long = [{"role": "user", "content": "word " * 2000}]
        answer = await client.post("/chat/completions", json=question(messages=long))
        assert answer.status_code == 400
        assert answer.json()["error"]["type"] == "exceed_context_size_error"


async def test_closing_while_it_answers_takes_no_longer_than_two_and_a_half_seconds(tmp_path):
    async with (
        serving(tmp_path, n_ctx=4096) as server,
        connected(server) as client,
        contextlib.aclosing(frames_of(client, **LONG)) as frames,
    ):
        await anext(frames)
        (child,) = model_processes()
        start = time.perf_counter()
        await server.aclose()
        assert time.perf_counter() - start < 2.5
        assert has_ended(child)
        with pytest.raises(httpx.TransportError):
            [_ async for _ in frames]


async def test_a_crash_while_it_answers_is_noticed_and_the_next_use_restarts_it(tmp_path):
    async with serving(tmp_path, n_ctx=4096) as server:
        states: list[LlamaState] = []
        server.states.subscribe(states.append)
        async with connected(server) as client, contextlib.aclosing(frames_of(client, **LONG)) as frames:
            await anext(frames)
            (child,) = model_processes()
            child.send_signal(signal.SIGSEGV)
            with pytest.raises(httpx.TransportError):
                [_ async for _ in frames]
        await until(lambda: server.state is LlamaState.CRASHED, 5)
        async with connected(server) as client:
            text, _ = await text_of(client)
        assert text
        running = [LlamaState.STARTING, LlamaState.RUNNING]
        assert states == [*running, LlamaState.CRASHED, *running]


async def test_a_killed_parent_leaves_no_child_not_even_a_busy_one(tmp_path):
    parent = subprocess.Popen(
        [sys.executable, "-c", BUSY_PARENT, str(tmp_path / "log")], stdout=subprocess.PIPE, text=True
    )
    try:
        assert parent.stdout is not None
        assert (await asyncio.to_thread(parent.stdout.readline)).strip() == "answering"
        (child,) = model_processes(parent.pid)
    finally:
        parent.kill()
        parent.communicate()
    await until(lambda: has_ended(child), 3)


BUSY_PARENT = """
import asyncio, sys
from pathlib import Path
import httpx
from agdesk.core.ir.messages import user
from agdesk.core.ir.partial import PartialMessageResponse
from agdesk.core.ir.request import MessageRequest
from agdesk.core.providers.catalogue import cost_usd
from agdesk.core.providers.llama_child import starter_gguf
from agdesk.core.providers.llama_server import LlamaOptions, LlamaServer

async def main():
    server = LlamaServer(lambda: LlamaOptions(starter_gguf(), 4096), log_file=Path(sys.argv[1]))
    base_url, key = await server.acquire()
    body = {"messages": [{"role": "user", "content": "Tell a story."}], "stream": True, "max_tokens": 4000,
            "ignore_eos": True}
    async with httpx.AsyncClient(trust_env=False, timeout=60) as client:
        headers = {"Authorization": f"Bearer {key}"}
        async with client.stream("POST", f"{base_url}/chat/completions", json=body, headers=headers) as response:
            async for line in response.aiter_lines():
                print("answering", flush=True)
                await asyncio.sleep(60)

asyncio.run(main())
"""


async def test_on_the_windows_own_event_loop_it_starts_answers_crashes_and_ends(tmp_path, qapp):
    import qasync

    assert isinstance(asyncio.get_running_loop(), qasync.QEventLoop)
    async with serving(tmp_path) as server:
        first, second = await asyncio.gather(server.acquire(), server.acquire())
        assert first == second
        async with connected(server) as client:
            text, _ = await text_of(client)
        assert text
        (child,) = model_processes()
        child.kill()
        await until(lambda: server.state is LlamaState.CRASHED, 5)
        await server.acquire()
        assert server.state is LlamaState.RUNNING
    assert server.state is LlamaState.STOPPED
    assert model_processes() == []
