"""Storms of failures on a real connection: what is tried again, after how long, and what never is (PROV6, E04, E05)."""

import asyncio
import json

import pytest

from agdesk.core.errors import ErrorCategory
from agdesk.core.ir.response import StopReason
from agdesk.core.trace.events import RequestPrepared, ResponseReceived, RetryScheduled, TurnCancelled, TurnCompleted
from tests.contract.conversation import chunk, usage
from tests.contract.dialects import abstract
from tests.contract.dialects.speaking import every_format, head_of
from tests.contract.dialects.writers import WRITERS
from tests.contract.turns import turns
from tests.fakes.script import CUT, END, HOLD, JSON, RESET, SSE, head, send

NOON = ("date", "Mon, 30 Nov 2026 12:00:00 GMT")
LIMITED = json.dumps({"error": {"message": "Too many", "type": "requests", "code": "rate_limit_exceeded"}})
ANSWER = (head(200, SSE), send(chunk(content="at last")), send(chunk(finish="stop")), send(usage(5, 2)), END)


def google_delay(delay):
    info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}
    return json.dumps({"error": {"code": 429, "message": "Busy", "status": "RESOURCE_EXHAUSTED", "details": [info]}})


@pytest.mark.parametrize(
    ("headers", "body", "wait_s"),
    [
        pytest.param({"retry-after": "7"}, LIMITED, 7.0, id="seconds"),
        pytest.param({"retry-after": "2.5"}, LIMITED, 2.5, id="a fraction"),
        pytest.param({"retry-after": "Mon, 30 Nov 2026 12:00:30 GMT"}, LIMITED, 30.0, id="an HTTP date"),
        pytest.param({"retry-after-ms": "1500", "retry-after": "2"}, LIMITED, 1.5, id="milliseconds"),
        pytest.param({"x-ratelimit-reset-tokens": "17.39s"}, LIMITED, 17.4, id="a duration"),
        pytest.param({"x-ratelimit-reset-requests": "126ms"}, LIMITED, 0.1, id="a short duration"),
        pytest.param({"x-ratelimit-reset": "2"}, LIMITED, 2.0, id="plain seconds of a reset"),
        pytest.param({"x-ratelimit-reset": "1796040020"}, LIMITED, 20.0, id="epoch seconds"),
        pytest.param({"anthropic-ratelimit-requests-reset": "2026-11-30T12:00:45Z"}, LIMITED, 45.0, id="RFC 3339"),
        pytest.param({"ratelimit": '"api";r=0;t=18'}, LIMITED, 18.0, id="a structured field"),
        pytest.param({}, google_delay("34.4s"), 34.4, id="RetryInfo in the body"),
        pytest.param({"retry-after": "60"}, LIMITED, 60.0, id="the longest"),
    ],
)
async def test_a_storm_is_waited_out_for_as_long_as_each_answer_asks(fake_server, headers, body, wait_s):
    for _ in range(3):
        fake_server.script(head(429, JSON, NOON, *headers.items()), send(body), END)
    fake_server.script(*ANSWER)
    async with turns(fake_server.base_url) as chat:
        outcome = await chat.session.submit("Hi")
    assert outcome.response.text() == "at last"
    assert chat.waits == [wait_s] * 3
    assert [prepared.attempt for prepared in chat.recorded(RequestPrepared)] == [1, 2, 3, 4]
    assert len(fake_server.requests) == 4 and len({request.body for request in fake_server.requests}) == 1


@pytest.mark.parametrize("headers", [{}, {"retry-after": "0"}, {"retry-after": "soon"}, {"x-ratelimit-reset": "0"}])
async def test_without_a_usable_wish_the_waits_grow_and_after_four_tries_it_is_over(fake_server, headers):
    for _ in range(4):
        fake_server.script(head(429, JSON, NOON, *headers.items()), send(LIMITED), END)
    async with turns(fake_server.base_url) as chat:
        outcome = await chat.session.submit("Hi")
    assert all(0.8 * 2**at <= waited_s <= 1.2 * 2**at for at, waited_s in enumerate(chat.waits))
    assert len(chat.waits) == 3 and len(fake_server.requests) == 4
    assert outcome.error.category is ErrorCategory.RATE_LIMIT and "tried 4 times" in outcome.error.hint


@pytest.mark.parametrize("headers", [{"retry-after": "61"}, {"x-ratelimit-reset-requests": "6m0s"}])
async def test_more_than_a_minute_is_not_waited_for(fake_server, headers):
    fake_server.script(head(429, JSON, NOON, *headers.items()), send(LIMITED), END)
    async with turns(fake_server.base_url) as chat:
        outcome = await chat.session.submit("Hi")
    assert chat.waits == [] and len(fake_server.requests) == 1
    assert "too long" in outcome.error.hint


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
async def test_E05_these_statuses_are_tried_again(fake_server, status):
    fake_server.script(head(status, JSON), send("{}"), END)
    fake_server.script(*ANSWER)
    async with turns(fake_server.base_url) as chat:
        outcome = await chat.session.submit("Hi")
    assert outcome.response.text() == "at last" and len(chat.waits) == 1


@pytest.mark.parametrize(
    ("status", "headers", "body"),
    [
        pytest.param(429, {}, {"error": {"message": "Check your plan", "code": "insufficient_quota"}}, id="a quota"),
        pytest.param(
            429, {"x-should-retry": "true"}, {"error": {"message": "x", "code": "insufficient_quota"}}, id="even so"
        ),
        pytest.param(500, {}, {"error": {"message": "image input is not supported"}}, id="L11"),
        pytest.param(500, {}, {"error": {"message": "tools param requires --jinja flag"}}, id="L11, tools"),
        pytest.param(503, {"x-should-retry": "false"}, {"error": {"message": "Do not"}}, id="told not to"),
        pytest.param(400, {}, {"error": {"message": "Bad"}}, id="a bad request"),
        pytest.param(401, {}, {"error": {"message": "No"}}, id="no key"),
    ],
)
async def test_E05_these_are_not(fake_server, status, headers, body):
    fake_server.script(head(status, JSON, *headers.items()), send(json.dumps(body)), END)
    async with turns(fake_server.base_url) as chat:
        outcome = await chat.session.submit("Hi")
    assert outcome.error is not None and chat.waits == [] and len(fake_server.requests) == 1


@pytest.mark.parametrize("failure", [(RESET,), (head(200, SSE), RESET), (head(200, SSE), CUT), (CUT,)])
async def test_a_connection_that_is_lost_before_the_first_event_is_tried_again(fake_server, failure):
    fake_server.script(*failure)
    fake_server.script(*ANSWER)
    async with turns(fake_server.base_url) as chat:
        outcome = await chat.session.submit("Hi")
    assert outcome.response.text() == "at last" and len(chat.waits) == 1


@every_format
async def test_every_format_is_tried_again_after_its_own_failure_and_answers(fake_server, writer):
    """A01, T22, T23: the status was 200."""
    stream = writer.stream(abstract.TEXT)
    fake_server.script(head_of(writer), send(writer.overloaded()), END)
    fake_server.script(head_of(writer, framing="close"), *map(send, stream.frames), END)
    async with turns(f"http://127.0.0.1:{fake_server.port}{writer.base_path}", wire=writer.wire) as chat:
        outcome = await chat.session.submit("Hi")
    assert outcome.error is None and outcome.response.text() == abstract.joined(abstract.TEXT, abstract.Say)
    assert len(chat.waits) == 1 and chat.recorded(TurnCompleted) == [TurnCompleted()]


@every_format
async def test_in_every_format_an_error_after_the_first_token_is_never_tried_again(fake_server, writer):
    stream = writer.stream(abstract.TEXT)
    async with turns(f"http://127.0.0.1:{fake_server.port}{writer.base_path}", wire=writer.wire) as chat:
        for count in range(1, stream.stop_at + 1):
            fake_server.forget()
            chat.waits.clear()
            fake_server.script(head_of(writer), *map(send, stream.frames[:count]), send(writer.overloaded()), END)
            fake_server.script(head_of(writer, framing="close"), *map(send, stream.frames), END)
            outcome = await chat.session.submit("Hi")
            has_text = outcome.response is not None and outcome.error is not None
            assert len(fake_server.requests) == (1 if has_text else 2)
            assert len(chat.waits) == (0 if has_text else 1)
            if has_text:
                assert outcome.response.text() and outcome.response.stop_reason is StopReason.ERROR
        assert has_text, "the last of these had a token"


async def test_stopping_during_the_wait_asks_nobody_any_more(fake_server):
    fake_server.script(head(429, JSON, ("retry-after", "30")), send(LIMITED), END)
    async with turns(fake_server.base_url) as chat:
        chat.is_held = True
        task = chat.session.submit("Hi")
        while not chat.waits:
            await asyncio.sleep(0.005)
        chat.session.cancel()
        await asyncio.wait([task])
        assert task.cancelled() and chat.recorded(TurnCancelled) == [TurnCancelled()]
        assert len(fake_server.requests) == 1
        fake_server.script(*ANSWER)
        chat.is_held = False
        assert (await chat.session.submit("Again")).response.text() == "at last"


async def test_stopping_the_attempt_after_a_wait_closes_its_connection(fake_server):
    fake_server.script(head(503, JSON), send("{}"), END)
    fake_server.script(head(200, SSE), send(chunk(content="a")), HOLD)
    async with turns(fake_server.base_url) as chat:
        task = chat.session.submit("Hi")
        while not [p for p in chat.payloads if isinstance(p, RetryScheduled)] or len(fake_server.requests) < 2:
            await asyncio.sleep(0.005)
        chat.session.cancel()
        await asyncio.wait([task])
        await asyncio.to_thread(fake_server.wait_for_disconnect, 1)


async def test_A01_SEED5_what_a_failed_attempt_reports_is_counted(fake_server):
    """Anthropic tells the tokens of the prompt at once, and may fail right after."""
    writer = WRITERS["anthropic"]
    stream = writer.stream(abstract.TEXT)
    fake_server.script(head_of(writer), send(stream.frames[0]), send(writer.overloaded()), END)
    fake_server.script(head_of(writer, framing="close"), *map(send, stream.frames), END)
    async with turns(f"http://127.0.0.1:{fake_server.port}{writer.base_path}", wire=writer.wire) as chat:
        outcome = await chat.session.submit("Hi")
    failed, answered = (received.response for received in chat.recorded(ResponseReceived))
    assert outcome.response == answered and failed.error is not None and failed.message.content == ()
    assert failed.usage.prompt_tokens and answered.usage.prompt_tokens
    assert chat.session.cost.prompt_tokens == failed.usage.prompt_tokens + answered.usage.prompt_tokens
    assert (chat.session.cost.request_count, chat.session.cost.total_usd) == (2, 0.5)
