"""``HttpProvider``: the stream of one answer, and how it ends."""

import asyncio
from contextlib import aclosing

import httpx
import pytest

from agdesk.core.errors import ErrorCategory, ProviderRejection, TransportError
from agdesk.core.ir.response import StopReason
from agdesk.core.ir.stream import (
    ContentBlockEnd,
    ContentBlockStart,
    MessageComplete,
    MessageStart,
    StreamError,
    TextDelta,
    TextType,
)
from agdesk.core.trace.events import StreamEventReceived
from agdesk.core.trace.wire import CloseReason, FrameReceived, RequestSent, ResponseClosed, ResponseStarted
from tests.fakes.memory import DONE, END, REQUEST, Asked, Body, answer_of, endpoint, text


async def test_the_events_of_an_answer_come_in_order_each_with_its_frame():
    asked = Asked(answer_of(text("Hel") + text("lo"), b": ping\n\n", END, DONE))
    assert await asked.stream() == [
        MessageStart("req-1", "model-1"),
        ContentBlockStart(0, TextType()),
        TextDelta("Hel", 0),
        TextDelta("lo", 0),
        ContentBlockEnd(0),
        MessageComplete(StopReason.END_TURN),
    ]
    kinds = [type(payload).__name__ for payload in asked.payloads]
    assert kinds == [
        *("RequestSent", "ResponseStarted", "FrameReceived"),
        *("StreamEventReceived", "StreamEventReceived", "StreamEventReceived"),
        *("FrameReceived", "StreamEventReceived", "FrameReceived", "FrameReceived", "FrameReceived"),
        *("ResponseClosed", "StreamEventReceived", "StreamEventReceived"),
    ]
    frame_seqs = [payload.frame_seq for payload in asked.payloads if isinstance(payload, StreamEventReceived)]
    assert frame_seqs == [3, 3, 3, 7, None, None]
    frames = [payload for payload in asked.payloads if isinstance(payload, FrameReceived)]
    assert asked.body[frames[0].start : frames[0].end] == text("Hel")
    assert asked.closed() == ResponseClosed(CloseReason.TERMINAL, len(asked.body))


async def test_the_connection_is_closed_before_the_last_events_are_given_out():
    body = Body(text("a"), END, DONE, text("never read"))
    asked = Asked(httpx.Response(200, stream=body))
    async with aclosing(asked.provider.chat_stream(REQUEST)) as stream:
        async for event in stream:
            if isinstance(event, ContentBlockEnd):
                assert body.is_closed


async def test_an_answer_without_a_marker_ends_with_the_body():
    asked = Asked(answer_of(text("a"), END))
    events = await asked.stream()
    assert events[-1] == MessageComplete(StopReason.END_TURN)
    assert asked.closed().reason is CloseReason.END


async def test_a_body_that_ends_too_early_is_an_incomplete_answer():
    assert (await Asked(answer_of(text("a"))).stream())[-1] == MessageComplete(StopReason.INCOMPLETE)


async def test_a_frame_that_only_the_end_of_the_body_completes_is_recorded_like_all():
    """T06."""
    asked = Asked(answer_of(text("a") + END, b'data: {"text": "last"}'))
    events = await asked.stream()
    assert TextDelta("last", 0) in events
    frames = [payload for payload in asked.payloads if isinstance(payload, FrameReceived)]
    assert asked.body[frames[-1].start : frames[-1].end] == b'data: {"text": "last"}'


async def test_a_failure_before_the_first_event_is_raised_and_on_record():
    asked = Asked(answer_of(b": hello\n\n", httpx.ReadError("reset")))
    with pytest.raises(TransportError, match=r"fake\.example") as caught:
        await asked.stream()
    assert asked.closed() == ResponseClosed(CloseReason.ERROR, 9, caught.value.to_record())


async def test_a_failure_after_the_first_event_is_one_stream_error_at_the_end():
    asked = Asked(answer_of(text("a"), httpx.ReadError("reset")))
    events = await asked.stream()
    assert [type(event) for event in events[-2:]] == [TextDelta, StreamError]
    assert events[-1].error.category is ErrorCategory.TRANSPORT
    assert asked.closed().reason is CloseReason.ERROR
    assert asked.closed().error == events[-1].error


async def test_a_failure_after_the_end_of_the_content_is_an_end():
    asked = Asked(answer_of(text("a"), END, httpx.ReadError("reset")))
    assert (await asked.stream())[-1] == MessageComplete(StopReason.END_TURN)
    assert asked.closed().reason is CloseReason.END and asked.closed().error is None


async def test_no_response_at_all_is_raised_and_on_record():
    asked = Asked(httpx.ConnectError("refused"))
    with pytest.raises(TransportError):
        await asked.stream()
    assert [type(payload) for payload in asked.payloads] == [RequestSent, ResponseClosed]
    assert asked.closed().byte_count == 0


async def test_an_error_of_the_provider_inside_the_stream_is_the_error_on_record():
    asked = Asked(answer_of(text("a"), b'data: {"error": {"message": "overloaded", "code": 503}}\n\n', text("b")))
    events = await asked.stream()
    assert isinstance(events[-1], StreamError)
    assert asked.closed().reason is CloseReason.ERROR
    assert asked.closed().error == events[-1].error


async def test_a_rejection_is_raised_with_status_and_words():
    asked = Asked(answer_of(b'{"error": {"message": "no such model"}}', status=404, headers={}))
    with pytest.raises(ProviderRejection) as caught:
        await asked.stream()
    assert caught.value.status == 404 and caught.value.provider_message == "no such model"
    assert asked.closed().error == caught.value.to_record()
    assert asked.body == b'{"error": {"message": "no such model"}}'


async def test_a_rejection_whose_body_is_cut_is_still_the_rejection():
    asked = Asked(answer_of(b"Too many", httpx.RemoteProtocolError("peer closed connection"), status=429))
    with pytest.raises(ProviderRejection) as caught:
        await asked.stream()
    assert caught.value.status == 429


async def test_silence_before_the_first_byte_ends_with_the_first_byte_timeout():
    asked = Asked(answer_of(5.0), row=endpoint(first_byte_timeout_s=0.05, idle_timeout_s=60.0))
    with pytest.raises(TransportError, match="sent nothing") as caught:
        await asked.stream()
    assert caught.value.is_timeout


async def test_silence_after_it_ends_with_the_idle_timeout():
    asked = Asked(answer_of(text("a"), 5.0), row=endpoint(first_byte_timeout_s=60.0, idle_timeout_s=0.05))
    events = await asked.stream()
    assert isinstance(events[-1], StreamError) and events[-1].error.details["is_timeout"] is True


async def test_a_local_server_has_no_first_byte_timeout():
    """D13."""
    row = endpoint(is_local=True, first_byte_timeout_s=0.02)
    assert len(await Asked(answer_of(0.15, text("a"), END, DONE), row=row).stream()) == 5


async def test_keep_alives_count_as_signs_of_life():
    """T08."""
    pings = [piece for _ in range(6) for piece in (b": ping\n\n", 0.03)]
    row = endpoint(first_byte_timeout_s=0.1, idle_timeout_s=0.1)
    assert len(await Asked(answer_of(*pings, text("a"), END, DONE), row=row).stream()) == 5


async def test_a_complete_answer_waits_ten_seconds_for_usage_and_not_longer(monkeypatch):
    monkeypatch.setattr("agdesk.core.providers.exchange.END_WAIT_S", 0.1)
    pings = [piece for _ in range(100) for piece in (b": ping\n\n", 0.02)]
    asked = Asked(answer_of(text("a"), END, *pings), row=endpoint(idle_timeout_s=None, first_byte_timeout_s=None))
    async with asyncio.timeout(1):
        events = await asked.stream()
    assert events[-1] == MessageComplete(StopReason.END_TURN)
    assert asked.closed().error is None


async def test_closing_the_stream_closes_the_connection_and_is_on_record():
    body = Body(text("a"), text("b"), text("c"))
    asked = Asked(httpx.Response(200, stream=body))
    stream = asked.provider.chat_stream(REQUEST, trace=asked.trace)
    async with aclosing(stream):
        await anext(stream)
    assert body.is_closed and body.given == 1
    assert asked.closed() == ResponseClosed(CloseReason.CANCELLED, len(text("a")))


async def test_without_a_trace_an_answer_is_the_same_and_nothing_is_recorded():
    asked = Asked(answer_of(text("a"), END, DONE))
    events = [event async for event in asked.provider.chat_stream(REQUEST)]
    assert [type(event) for event in events[2:]] == [TextDelta, ContentBlockEnd, MessageComplete]
    assert asked.payloads == [] and asked.body == b""
    assert not any(isinstance(payload, ResponseStarted) for payload in asked.payloads)
