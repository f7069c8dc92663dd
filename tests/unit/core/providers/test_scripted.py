"""The provider that the other tests rely on does what its scripts say."""

from __future__ import annotations

import contextlib
import time

import pytest

from agdesk.core.errors import ConfigurationError, TransportError
from agdesk.core.ir.messages import user
from agdesk.core.ir.partial import PartialMessageResponse
from agdesk.core.ir.request import MessageRequest
from agdesk.core.ir.response import StopReason, Usage
from agdesk.core.ir.stream import MessageStart, StreamError, TextDelta
from agdesk.core.providers.base import ProviderFeatures
from agdesk.core.providers.scripted import Pause, ScriptedProvider, text_answer

REQUEST = MessageRequest("m", (user("Hello"),))
BROKEN = TransportError("the line went dead")


async def play(provider):
    return [event async for event in provider.chat_stream(REQUEST)]


async def test_each_request_gets_the_next_script():
    provider = ScriptedProvider([text_answer("one"), text_answer("two")])
    assert (await provider.chat(REQUEST)).text() == "one"
    assert TextDelta("two", 0) in await play(provider)
    assert provider.requests == [REQUEST, REQUEST]
    with pytest.raises(ConfigurationError, match="request 3"):
        await play(provider)


async def test_a_text_answer_is_a_whole_legal_stream():
    usage = Usage(prompt_tokens=3, completion_tokens=2)
    provider = ScriptedProvider([text_answer("Bon", "jour", stop_reason=StopReason.MAX_TOKENS, usage=usage)])
    partial = PartialMessageResponse()
    for event in await play(provider):
        assert partial.apply(event)
    response = partial.finalize()
    assert partial.ignored_count == 0
    assert response.text() == "Bonjour"
    assert response.stop_reason is StopReason.MAX_TOKENS
    assert response.usage.total_tokens == 5


async def test_an_error_before_the_first_event_is_raised():
    with pytest.raises(TransportError, match="the line went dead"):
        await play(ScriptedProvider([(Pause(0.001), BROKEN)]))


async def test_an_error_after_it_is_one_event_and_the_last():
    start = MessageStart("1", "m")
    events = await play(ScriptedProvider([(start, BROKEN, TextDelta("never", 0))]))
    assert events == [start, StreamError(BROKEN.to_record())]


async def test_chat_raises_the_error_wherever_it_stands():
    with pytest.raises(TransportError):
        await ScriptedProvider([(MessageStart("1", "m"), BROKEN)]).chat(REQUEST)


async def test_delays_are_kept():
    start = time.perf_counter()
    await play(ScriptedProvider([text_answer("a", "b", delay_s=0.05)]))
    assert time.perf_counter() - start >= 0.09  # qasync's timers may come early by a few ms


async def test_an_abandoned_stream_is_closed():
    provider = ScriptedProvider([text_answer("a", "b")])
    async with contextlib.aclosing(provider.chat_stream(REQUEST)) as events:
        await anext(events)
        assert provider.open_count == 1
    assert provider.open_count == 0


def test_its_features_are_those_it_was_given():
    features = ProviderFeatures(tool_use=True, max_context_window=100)
    capabilities = ScriptedProvider([], name="fake", features=features).capabilities("any")
    assert (capabilities.provider_name, capabilities.features) == ("fake", features)
