"""The life of the built-in model's process, with a small program in the model's place."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import stat
import sys
import time

import pytest

from agdesk.core.errors import ConfigurationError, TransportError
from agdesk.core.providers.child_environment import child_environment
from agdesk.core.providers.llama_server import LlamaOptions, LlamaServer, LlamaState
from agdesk.core.tasks import spawn

WELL = """
import json, os, sys
key = sys.stdin.readline().strip()
open(sys.argv[2] + ".key", "w").write(key)
print(os.getpid(), *sys.argv[1:], file=sys.stderr)
print(json.dumps({"url": "http://127.0.0.1:1"}), flush=True)
sys.stdin.read()
"""
SLOW = "import time; time.sleep(0.3)\n" + WELL
SILENT = "import sys, time; print('still loading', file=sys.stderr, flush=True); time.sleep(60)"
DEAD = "import sys; [print('line', i, file=sys.stderr) for i in range(200)]; sys.exit(3)"
REFUSING = """import sys; sys.stdin.readline(); print('{"error": "it is not a GGUF file"}'); sys.exit(1)"""
STUBBORN = WELL + "import time; time.sleep(60)"


@contextlib.asynccontextmanager
async def serving(tmp_path, program, options=None, start_timeout_s=20.0):
    """A server that runs ``program``, with the states it went through; ended afterwards."""
    chosen = options or (lambda: LlamaOptions(tmp_path / "model.gguf", 4096))
    server = LlamaServer(
        chosen,
        log_file=tmp_path / "model.log",
        command=(sys.executable, "-c", program),
        start_timeout_s=start_timeout_s,
    )
    states: list[LlamaState] = []
    server.states.subscribe(states.append)
    try:
        yield server, states
    finally:
        await server.aclose()


def pid_of(server):
    return int(server.log_lines()[-1].split()[0])


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def until(condition, limit_s=5.0):
    end = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < end, "it did not come about in time"
        await asyncio.sleep(0.01)


async def test_nothing_runs_before_the_first_use(tmp_path):
    async with serving(tmp_path, WELL) as (server, states):
        assert server.state is LlamaState.STOPPED
        assert not (tmp_path / "model.log").exists()
        assert states == []


async def test_the_first_use_starts_it_and_the_next_one_does_not(tmp_path):
    async with serving(tmp_path, WELL) as (server, states):
        assert await server.acquire() == await server.acquire()
        assert states == [LlamaState.STARTING, LlamaState.RUNNING]


async def test_the_address_is_an_openai_base_url_and_the_key_is_the_one_on_the_childs_stdin(tmp_path):
    async with serving(tmp_path, WELL) as (server, _):
        base_url, key = await server.acquire()
        assert base_url == "http://127.0.0.1:1/v1"
        assert (tmp_path / "model.gguf.key").read_text() == key
        assert len(key) >= 32


async def test_every_start_has_another_key(tmp_path):
    async with serving(tmp_path, WELL) as (server, _):
        _, first = await server.acquire()
        await server.aclose()
        assert (await server.acquire())[1] != first


async def test_the_child_is_told_file_and_context_and_the_key_is_in_no_argument(tmp_path):
    async with serving(tmp_path, WELL) as (server, _):
        _, key = await server.acquire()
        assert server.log_lines()[-1].endswith(f" --gguf {tmp_path / 'model.gguf'} --n-ctx 4096")
        assert key not in server.log_lines()[-1]


async def test_concurrent_uses_share_one_start(tmp_path):
    async with serving(tmp_path, SLOW) as (server, states):
        answers = await asyncio.gather(*(server.acquire() for _ in range(5)))
        assert len(set(answers)) == 1
        assert states == [LlamaState.STARTING, LlamaState.RUNNING]


async def test_a_cancelled_use_does_not_end_the_start_for_the_others(tmp_path):
    async with serving(tmp_path, SLOW) as (server, states):
        first, second = spawn(server.acquire(), name="first"), spawn(server.acquire(), name="second")
        await until(lambda: server.state is LlamaState.STARTING)
        first.cancel()
        assert (await second)[0] == "http://127.0.0.1:1/v1"
        assert states == [LlamaState.STARTING, LlamaState.RUNNING]


async def test_a_crash_is_noticed_told_and_healed_by_the_next_use(tmp_path):
    async with serving(tmp_path, WELL) as (server, states):
        await server.acquire()
        first = pid_of(server)
        os.kill(first, signal.SIGKILL)
        await until(lambda: server.state is LlamaState.CRASHED)
        await server.acquire()
        assert pid_of(server) != first
        running = [LlamaState.STARTING, LlamaState.RUNNING]
        assert states == [*running, LlamaState.CRASHED, *running]


async def test_a_changed_setting_restarts_it_at_the_next_use_and_not_before(tmp_path):
    n_ctx = 4096

    async with serving(tmp_path, WELL, lambda: LlamaOptions(tmp_path / "model.gguf", n_ctx)) as (server, states):
        await server.acquire()
        first = pid_of(server)
        n_ctx = 8192
        await asyncio.sleep(0.05)
        assert is_alive(first)
        await server.acquire()
        assert not is_alive(first)
        assert "--n-ctx 8192" in server.log_lines()[0]
        assert LlamaState.CRASHED not in states


async def test_a_refusal_of_the_child_is_told_in_its_words(tmp_path):
    async with serving(tmp_path, REFUSING) as (server, states):
        with pytest.raises(ConfigurationError, match="it is not a GGUF file"):
            await server.acquire()
        assert states == [LlamaState.STARTING, LlamaState.CRASHED]


async def test_a_child_that_dies_at_once_leaves_its_last_words(tmp_path):
    async with serving(tmp_path, DEAD) as (server, _):
        with pytest.raises(TransportError, match=r"ended before it was ready \(exit status 3\)") as caught:
            await server.acquire()
        assert caught.value.hint.splitlines()[-1] == "line 199"
        assert len(server.log_lines()) == 100


async def test_everyone_who_waits_for_a_start_gets_its_failure_and_the_next_use_tries_again(tmp_path):
    async with serving(tmp_path, DEAD) as (server, states):
        outcomes = await asyncio.gather(server.acquire(), server.acquire(), return_exceptions=True)
        assert [type(outcome) for outcome in outcomes] == [TransportError, TransportError]
        with pytest.raises(TransportError):
            await server.acquire()
        assert states == [LlamaState.STARTING, LlamaState.CRASHED] * 2


async def test_a_child_that_is_never_ready_is_ended_after_the_limit(tmp_path):
    async with serving(tmp_path, SILENT, start_timeout_s=0.3) as (server, states):
        with pytest.raises(TransportError, match=r"not ready within 0\.3 s") as caught:
            await server.acquire()
        assert "still loading" in caught.value.hint
        assert states[-1] is LlamaState.CRASHED


async def test_a_program_that_cannot_be_started_is_told(tmp_path):
    server = LlamaServer(
        lambda: LlamaOptions(tmp_path / "m", 512), log_file=tmp_path / "log", command=(str(tmp_path / "none"),)
    )
    with pytest.raises(TransportError, match="could not be started"):
        await server.acquire()
    await server.aclose()


async def test_a_model_that_is_not_installed_is_told_with_the_next_step(tmp_path):
    async with serving(tmp_path, WELL, lambda: LlamaOptions(None, 4096)) as (server, _):
        with pytest.raises(ConfigurationError, match="not installed") as caught:
            await server.acquire()
        assert "GGUF" in caught.value.hint


async def test_closing_ends_the_child_and_is_no_crash(tmp_path):
    async with serving(tmp_path, WELL) as (server, states):
        await server.acquire()
        pid = pid_of(server)
        await server.aclose()
        await server.aclose()
        assert not is_alive(pid)
        assert states == [LlamaState.STARTING, LlamaState.RUNNING, LlamaState.STOPPED]


async def test_a_child_that_ignores_its_end_is_killed_within_two_and_a_half_seconds(tmp_path):
    async with serving(tmp_path, STUBBORN) as (server, _):
        await server.acquire()
        pid = pid_of(server)
        start = time.perf_counter()
        await server.aclose()
        assert time.perf_counter() - start < 2.5
        assert not is_alive(pid)


async def test_closing_during_a_restart_leaves_no_old_child(tmp_path):
    n_ctx = 4096
    async with serving(tmp_path, STUBBORN, lambda: LlamaOptions(tmp_path / "model.gguf", n_ctx)) as (server, _):
        await server.acquire()
        pid = pid_of(server)
        n_ctx = 8192

        async def close_while_it_waits_for_the_old_child():
            await asyncio.sleep(0.1)
            assert is_alive(pid)
            await server.aclose()

        with pytest.raises(TransportError, match="stopped while it was starting"):
            await asyncio.gather(server.acquire(), close_while_it_waits_for_the_old_child())
        await until(lambda: not is_alive(pid), 1)


async def test_closing_during_the_start_tells_those_who_wait(tmp_path):
    async with serving(tmp_path, SILENT) as (server, states):
        with pytest.raises(TransportError, match="stopped while it was starting"):
            await asyncio.gather(server.acquire(), close_when_starting(server))
        assert states == [LlamaState.STARTING, LlamaState.STOPPED]


async def close_when_starting(server):
    await until(lambda: server.log_lines())
    await server.aclose()


async def test_the_log_is_private(tmp_path):
    async with serving(tmp_path, WELL) as (server, _):
        await server.acquire()
        assert stat.S_IMODE(server.log_file.stat().st_mode) == 0o600


def test_no_variable_that_may_hold_a_secret_reaches_a_child():
    environment = {
        "PATH": "/bin",
        "HOME": "/root",
        "LC_ALL": "C",
        "OMP_NUM_THREADS": "2",
        "OPENAI_API_KEY": "sk-1",
        "GITHUB_TOKEN": "gh",
        "MY_KEY_VARIABLE": "sk-2",
        "UNHEARD_OF": "sk-3",
        "CUDA_SECRET": "s",
        "HTTPS_PROXY": "http://user:pass@proxy",
    }
    assert set(child_environment(environment)) == {"PATH", "HOME", "LC_ALL", "OMP_NUM_THREADS"}


async def test_the_childs_real_environment_holds_no_key(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-123456")
    program = "import os, sys; print(dict(os.environ), file=sys.stderr)\n" + WELL
    async with serving(tmp_path, program) as (server, _):
        _, key = await server.acquire()
        text = "\n".join(server.log_lines())
        assert "PATH" in text
        assert "sk-canary-123456" not in text
        assert key not in text


def test_the_packaged_program_starts_itself_and_a_checkout_starts_its_interpreter(monkeypatch, tmp_path):
    def command():
        return LlamaServer(lambda: LlamaOptions(None, 512), log_file=tmp_path / "log").command

    assert command() == (sys.executable, "-m", "agdesk", "serve-model")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert command() == (sys.executable, "serve-model")
