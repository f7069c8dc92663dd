"""The errors of every wire format: before the first event and after it, how long to wait, too long a prompt."""

import json

import pytest

from agdesk.core.errors import ErrorCategory, ProviderRejection
from agdesk.core.ir.response import StopReason
from agdesk.core.trace.wire import CloseReason
from tests.contract.dialects import abstract
from tests.contract.dialects.abstract import packed
from tests.contract.dialects.speaking import every_format, head_of, meaning, runnable, speaking
from tests.contract.dialects.writers import WRITERS
from tests.fakes.script import END, HOLD, JSON, head, send

NOON = ("date", "Mon, 30 Nov 2026 12:00:00 GMT")


def rate_limit_of(writer):
    """The first rejection of a writer that is a rate limit."""
    return next(each for each in writer.rejections() if each.category is ErrorCategory.RATE_LIMIT)


async def rejection(asked):
    with pytest.raises(ProviderRejection) as caught:
        await asked.ask()
    return caught.value


@pytest.mark.parametrize(
    ("writer", "refusal"),
    [
        pytest.param(writer, each, id=f"{wire}-{each.status}-{each.category.value}-{number}")
        for wire, writer in WRITERS.items()
        for number, each in enumerate((*writer.rejections(), writer.overflow()))
    ],
)
async def test_a_refused_request_is_classified(fake_server, writer, refusal):
    """PROV6, E01, E03, E06."""
    fake_server.script(head(refusal.status, JSON, ("x-request-id", "r-1")), send(refusal.body), END)
    async with speaking(fake_server, writer) as asked:
        error = await rejection(asked)
    assert (error.category, error.status, error.request_id) == (refusal.category, refusal.status, "r-1")
    assert error.provider_message and error.provider_message in error.message and error.hint
    assert error.is_retryable == (
        refusal.category in (ErrorCategory.RATE_LIMIT, ErrorCategory.OVERLOADED, ErrorCategory.SERVER)
    )
    assert asked.body == refusal.body and asked.closed().error == error.to_record()


@every_format
async def test_a_failure_as_the_first_frame_is_raised(fake_server, writer):
    """T22, T23, A01: the status was 200."""
    fake_server.script(head_of(writer), send(writer.overloaded()), END)
    async with speaking(fake_server, writer) as asked:
        error = await rejection(asked)
    assert (error.category, error.status) == (ErrorCategory.OVERLOADED, 200)
    assert error.is_retryable and "verloaded" in error.message
    assert asked.closed().reason is CloseReason.ERROR


@every_format
async def test_a_failure_in_the_middle_is_the_last_event_and_keeps_what_came(fake_server, writer):
    """T23, A01, L01: whatever came before, one error, and the connection is closed."""
    stream = writer.stream(abstract.PARALLEL)
    async with speaking(fake_server, writer) as asked:
        for count in range(1, stream.stop_at + 1):
            sent = stream.frames[:count]
            fake_server.script(head_of(writer, framing="close"), *map(send, sent), END)
            before = await asked.ask()
            fake_server.script(head_of(writer), *map(send, sent), send(writer.overloaded()), END)
            response = await asked.ask()
            assert response.stop_reason is StopReason.ERROR
            assert response.error.category is ErrorCategory.OVERLOADED and response.error.is_retryable
            assert "verloaded" in response.error.message
            assert meaning(response) == meaning(before) and runnable(response) == []


@every_format
async def test_a_failure_ends_the_request_although_the_connection_stays_open(fake_server, writer):
    sent = writer.stream(abstract.TEXT).frames[:2]
    fake_server.script(head_of(writer), *map(send, sent), send(writer.overloaded()), HOLD)
    async with speaking(fake_server, writer, idle_timeout_s=60.0) as asked:
        response = await asked.ask()
        fake_server.wait_for_disconnect()
    assert response.error.category is ErrorCategory.OVERLOADED


@every_format
@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        pytest.param({"retry-after": "7"}, 7.0, id="seconds"),
        pytest.param({"retry-after": "2.5"}, 2.5, id="a fraction of seconds"),
        pytest.param({"retry-after": "Mon, 30 Nov 2026 12:01:30 GMT"}, 90.0, id="an HTTP date"),
        pytest.param({"retry-after-ms": "1500", "retry-after": "2"}, 1.5, id="milliseconds"),
        pytest.param({"x-ratelimit-reset-requests": "6m0s"}, 360.0, id="minutes"),
        pytest.param({"x-ratelimit-reset-tokens": "17.39s"}, 17.4, id="seconds with a unit"),
        pytest.param({"x-ratelimit-reset-requests": "126ms"}, 0.1, id="milliseconds with a unit"),
        pytest.param({"x-ratelimit-reset": "2"}, 2.0, id="seconds until the reset"),
        pytest.param(
            {
                "anthropic-ratelimit-requests-remaining": "12",
                "anthropic-ratelimit-requests-reset": "2026-11-30T13:00:00Z",
                "anthropic-ratelimit-input-tokens-remaining": "0",
                "anthropic-ratelimit-input-tokens-reset": "2026-11-30T12:00:45Z",
            },
            45.0,
            id="RFC 3339 of what is used up",
        ),
        pytest.param({"ratelimit": '"api";r=0;t=218'}, 218.0, id="a structured field"),
        pytest.param({}, None, id="nothing said"),
    ],
)
async def test_a_rate_limit_tells_how_long_to_wait(fake_server, writer, headers, seconds):
    """E04."""
    limit = rate_limit_of(writer)
    body = json.loads(limit.body)
    if isinstance(body["error"], dict):
        body["error"].pop("details", None)  # Gemini's own delay has a test of its own
    fake_server.script(head(429, JSON, NOON, *headers.items()), send(packed(body)), END)
    async with speaking(fake_server, writer) as asked:
        error = await rejection(asked)
    assert (error.category, error.retry_after_s) == (ErrorCategory.RATE_LIMIT, seconds)


@every_format
async def test_a_delay_in_the_body_is_how_long_to_wait(fake_server, writer):
    """E04, G11: Google's RetryInfo, which gateways pass on in any format."""
    body = rate_limit_of(WRITERS["gemini"]).body
    fake_server.script(head(429, JSON, NOON), send(body), END)
    async with speaking(fake_server, writer) as asked:
        assert (await rejection(asked)).retry_after_s == 34.4


@every_format
async def test_A19_headers_of_a_success_tell_how_long_to_wait_only_if_it_fails(fake_server, writer):
    """A19."""
    waits = (NOON, ("retry-after", "7"), ("request-id", "r-2"))
    stream = writer.stream(abstract.TEXT)
    async with speaking(fake_server, writer) as asked:
        fake_server.script(head_of(writer, *waits), send(stream.body), END)
        assert (await asked.ask()).error is None
        fake_server.script(head_of(writer, *waits), send(stream.frames[0]), send(writer.overloaded()), END)
        error = (await asked.ask()).error
    assert error.details["retry_after_s"] == 7.0
    assert str(error.details["request_id"]) in "r-2 request-1"


@every_format
async def test_a_web_page_instead_of_an_answer_is_told_by_its_title(fake_server, writer):
    """E10, with any status."""
    page = "<!doctype html><html><title>Sign in</title><body>" + "<p>x</p>" * 5000
    async with speaking(fake_server, writer) as asked:
        for status in (200, 403, 502):
            fake_server.script(head(status, ("content-type", "text/html")), send(page), END)
            with pytest.raises(Exception, match="Sign in") as caught:
                await asked.ask()
            assert len(str(caught.value)) < 500
