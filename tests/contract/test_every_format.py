"""The same answers in every wire format: one meaning, whatever the bytes and however they arrive."""

import dataclasses
import time
from contextlib import aclosing

import pytest

from agdesk.core.ir.messages import user
from agdesk.core.ir.partial import PartialMessageResponse
from agdesk.core.ir.request import MessageRequest
from agdesk.core.ir.response import CompletionTokensDetails, PromptTokensDetails, StopReason, Usage
from agdesk.core.trace.wire import CloseReason
from tests.contract.conversation import KEY
from tests.contract.dialects import abstract
from tests.contract.dialects.abstract import ANSWERS, Call, Refuse, Say, Think
from tests.contract.dialects.speaking import every_format, every_format_but, head_of, meaning, runnable, speaking
from tests.contract.dialects.writers import WRITERS
from tests.fakes.script import END, HOLD, JSON, drip, head, send

ANTHROPIC_HEADERS = {"anthropic-version": "2023-06-01"}


def expected_blocks(answer):
    """The blocks of an answer as ``meaning`` tells them."""
    found: list[tuple] = []
    for part in answer.parts:
        match part:
            case Say(pieces):
                text = "".join(pieces).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
                found.append(("text", text))
            case Refuse(pieces):
                found.append(("text", "".join(pieces)))
            case Think(pieces):
                found.append(("thinking", "".join(pieces)))
            case Call():
                found.append(("call", part.id, part.name, None if answer.is_cut else part.arguments))
    return found


def expected_stop(answer):
    if answer.is_cut:
        return {StopReason.MAX_TOKENS}
    if answer.is_refusal:
        return {StopReason.REFUSAL, StopReason.CONTENT_FILTER}
    return {StopReason.TOOL_USE if answer.calls else StopReason.END_TURN}


def expected_usage(answer, writer):
    counts = answer.counts
    usage = Usage(counts.prompt, counts.completion, counts.prompt + counts.completion)
    if not writer.tells_details:
        return usage
    cached, thinking = PromptTokensDetails(counts.cached), CompletionTokensDetails(counts.thinking)
    return dataclasses.replace(usage, prompt_tokens_details=cached, completion_tokens_details=thinking)


def check(response, answer, writer):
    assert meaning(response) == expected_blocks(answer)
    assert response.stop_reason in expected_stop(answer)
    assert response.error is None
    details = response.usage.prompt_tokens_details
    if details is not None:  # a format may know that nothing was written to the cache
        details = dataclasses.replace(details, cache_write_tokens=None)
    assert dataclasses.replace(response.usage, prompt_tokens_details=details) == expected_usage(answer, writer)
    assert response.model == "model-1-real"
    assert writer.wire == "ollama" or response.id == "answer-1"


every_answer = pytest.mark.parametrize(
    ("writer", "answer"),
    [
        pytest.param(writer, answer, id=f"{wire}-{name}")
        for wire, writer in WRITERS.items()
        for name, answer in ANSWERS.items()
        if writer.refuses or not answer.is_refusal
    ],
)


@every_answer
async def test_an_answer_means_the_same(fake_server, writer, answer):
    stream = writer.stream(answer)
    fake_server.script(head_of(writer), *map(send, stream.frames), END)
    async with speaking(fake_server, writer) as asked:
        check(await asked.ask(), answer, writer)
    assert asked.closed().reason is (CloseReason.TERMINAL if writer.has_marker else CloseReason.END)
    assert asked.body == stream.body


@every_format
async def test_it_does_not_depend_on_how_the_network_cuts_it(fake_server, writer):
    async with speaking(fake_server, writer) as asked:
        for answer in (abstract.PARALLEL, abstract.THINKING_AND_TEXT, abstract.SURROGATES):
            body = writer.stream(answer).body
            fake_server.script(head_of(writer), send(body), END)
            whole = await asked.ask()
            fake_server.script(head_of(writer), drip(body, 0.0), END)
            assert dataclasses.replace(await asked.ask(), id=whole.id) == whole
            check(whole, answer, writer)


@every_answer
async def test_a_document_instead_of_a_stream_means_the_same(fake_server, writer, answer):
    """T26."""
    fake_server.script(head(200, JSON), send(writer.document(answer)), END)
    async with speaking(fake_server, writer) as asked:
        check(await asked.ask(), answer, writer)


@every_format_but("ollama")
async def test_a_marker_of_chat_completions_at_the_end_changes_nothing(fake_server, writer):
    """T14."""
    stream = writer.stream(abstract.TOOL)
    fake_server.script(head_of(writer), send(stream.body), send("data: [DONE]\n\n"), END)
    async with speaking(fake_server, writer) as asked:
        check(await asked.ask(), abstract.TOOL, writer)


@every_format
async def test_an_answer_is_told_although_its_connection_stays_open(fake_server, writer, monkeypatch):
    """T13, T15: at once after a marker; some time after the end where there is none."""
    monkeypatch.setattr("agdesk.core.providers.exchange.END_WAIT_S", 0.2)
    fake_server.script(head_of(writer), send(writer.stream(abstract.TOOL).body), HOLD)
    async with speaking(fake_server, writer, idle_timeout_s=60.0) as asked:
        check(await asked.ask(), abstract.TOOL, writer)
        fake_server.wait_for_disconnect()


@every_format
async def test_the_answer_of_a_stopped_request_ends_where_it_was_stopped(fake_server, writer):
    """E12: the server sees it at once; ``tests/conftest.py`` looks for tasks that are left."""
    stream = writer.stream(abstract.PARALLEL)
    for count in range(1, stream.stop_at + 1):
        fake_server.forget()
        fake_server.script(head_of(writer), *map(send, stream.frames[:count]), HOLD)
        async with speaking(fake_server, writer) as asked:
            partial = PartialMessageResponse()
            async with aclosing(asked.stream()) as events:
                async for event in events:
                    partial.apply(event)
                    break
            fake_server.wait_for_disconnect()
        response = partial.finalize()
        assert response.stop_reason is StopReason.INCOMPLETE
        assert runnable(response) == []
        assert asked.closed().reason is CloseReason.CANCELLED


@every_format
async def test_closing_between_two_blocks_closes_the_socket_at_once(fake_server, writer):
    stream = writer.stream(abstract.THINKING_AND_TEXT)
    fake_server.script(head_of(writer), *map(send, stream.frames[: stream.stop_at]), HOLD)
    async with speaking(fake_server, writer) as asked:
        seen = ""
        async with aclosing(asked.stream()) as events:
            async for event in events:
                seen += getattr(event, "text", "")
                if seen == "Easy: two.2":
                    break
            closed_at = time.time()
        assert fake_server.wait_for_disconnect() - closed_at < 5.0
    assert asked.closed().reason is CloseReason.CANCELLED


SENT = {
    "openai_chat": ("/v1/chat/completions", "authorization", f"Bearer {KEY}"),
    "openai_responses": ("/v1/responses", "authorization", f"Bearer {KEY}"),
    "anthropic": ("/v1/messages", "x-api-key", KEY),
    "gemini": ("/v1beta/models/model-1:streamGenerateContent?alt=sse", "x-goog-api-key", KEY),
    "ollama": ("/api/chat", "authorization", f"Bearer {KEY}"),
}


@every_format
async def test_a_request_goes_to_its_place_with_the_key_in_its_header(fake_server, writer):
    fake_server.script(head_of(writer), send(writer.stream(abstract.TEXT).body), END)
    request = MessageRequest("model-1", (user("Which city?"),), max_tokens=77)
    async with speaking(fake_server, writer, headers=ANTHROPIC_HEADERS) as asked:
        await asked.ask(request)
    (seen,) = fake_server.requests
    target, header, value = SENT[writer.wire]
    assert (seen.method, seen.target) == ("POST", target)
    assert seen.headers[header] == value
    keys = {name for name, sent in seen.headers.items() if KEY in sent}
    assert keys == {header} and KEY not in seen.target + seen.body
    assert seen.headers["content-type"] == "application/json"
    assert seen.headers["anthropic-version"] == "2023-06-01"
    is_in_path = writer.wire == "gemini"
    assert seen.json.get("model") == (None if is_in_path else "model-1")
    assert seen.json.get("stream") is (None if is_in_path else True)
    assert "Which city?" in seen.body and "77" in seen.body


@every_format
async def test_an_answer_goes_back_in_its_own_format(fake_server, writer):
    answered = writer.stream(abstract.THINKING_AND_TOOL)
    async with speaking(fake_server, writer) as asked:
        fake_server.script(head_of(writer), send(answered.body), END)
        first = await asked.provider.chat(MessageRequest("model-1", (user("Weather?"),)))
        fake_server.script(head_of(writer), send(writer.stream(abstract.TEXT).body), END)
        again = MessageRequest("model-1", (user("Weather?"), first.message, user("And now?")))
        second = await asked.ask(again)
    check(second, abstract.TEXT, writer)
    sent = fake_server.requests[1].body
    # a call that nobody answered is answered as cancelled (K20)
    assert "look_up" in sent and "Paris" in sent and "[cancelled]" in sent
    assert sent.index("look_up") < sent.index("[cancelled]") < sent.index("And now?")
