"""A cycle is made only with a model that is not known to lack what is required (SEED5, D2)."""

from __future__ import annotations

import logging

import pytest

from agdesk.core.cycle import AgentSession, SessionServices
from agdesk.core.cycle.builder import AgentBuilder
from agdesk.core.cycle.requests import CycleConfig
from agdesk.core.errors import ConfigurationError
from agdesk.core.ir.blocks import Audio, Image, ToolResult, Url
from agdesk.core.ir.messages import Tool, User, user
from agdesk.core.ir.parameters import RequestParameters, ThinkingOptions
from agdesk.core.providers.base import ProviderFeatures
from agdesk.core.providers.router import AUTO, Needs, needs_of
from agdesk.core.providers.scripted import ScriptedProvider, text_answer
from agdesk.core.trace.events import TurnFailed, TurnStarted
from agdesk.core.trace.recorder import Recorder

NEEDS = Needs(vision=True, tool_use=True, min_context_window=8_000)


def builder(required=NEEDS, **features):
    provider = ScriptedProvider([text_answer("Bonjour")], features=ProviderFeatures(**features))
    return AgentBuilder(provider, CycleConfig("m"), required=required)


async def test_a_model_known_to_have_what_is_required_is_taken():
    made = builder(vision=True, tool_use=True, max_context_window=8_000)
    assert made.check() == ()
    response = await made.build(Recorder("s")).run_turn(user("hi"))
    assert response.text() == "Bonjour"


@pytest.mark.parametrize(
    ("features", "missing"),
    [
        ({"vision": False}, "vision"),
        ({"tool_use": False, "vision": True}, "tools"),
        ({"max_context_window": 4_096}, "a window of 8,000 tokens"),
        ({"vision": False, "tool_use": False}, "vision, tools"),
    ],
)
def test_a_model_known_to_lack_it_is_refused_and_what_it_lacks_is_named(features, missing):
    with pytest.raises(ConfigurationError, match=f"m is known to lack what is needed: {missing}") as caught:
        builder(**features).build(Recorder("s"))
    assert "correct" in caught.value.hint


def test_an_unknown_passes_with_a_warning(caplog):
    with caplog.at_level(logging.WARNING):
        assert builder(vision=True, max_context_window=8_000).check() == ("tools",)
    assert "nobody knows whether m has what is needed: tools" in caplog.text
    caplog.clear()


def test_nothing_is_required_unless_it_is_said():
    assert builder(Needs(), vision=False, tool_use=False).check() == ()


# --- in a conversation ---


def session_with(provider, *, resolved="test/m", model_ref="test/m"):
    async def connect(_provider_id):
        return provider

    async def price(model_ref, _usage):
        priced.append(model_ref)
        return 0.0

    async def resolve(asked, needs):
        resolutions.append((asked, needs))
        if isinstance(resolved, Exception):
            raise resolved
        return resolved

    priced, resolutions = [], []
    services = SessionServices(connect=connect, price=price, wire_of=lambda _: "openai_chat", resolve=resolve)
    session = AgentSession(model_ref, services=services, recorder=Recorder("s"))
    records = []
    session.records.subscribe(records.append)
    return session, records, priced, resolutions


async def test_a_turn_with_a_model_known_to_lack_what_is_required_asks_nobody():
    provider = ScriptedProvider([text_answer("Bonjour")], features=ProviderFeatures(vision=False))
    session, _, _, _ = session_with(provider)
    session.required = Needs(vision=True)
    outcome = await session.submit("hi")
    assert outcome.error is not None and "known to lack what is needed: vision" in outcome.error.message
    assert provider.requests == []
    session.required = None
    assert (await session.submit("again")).error is None
    assert [message.content[0].text for message in provider.requests[0].messages] == ["hi", "again"]


async def test_a_turn_of_auto_is_one_with_the_model_that_was_chosen():
    provider = ScriptedProvider([text_answer("Bonjour")])
    session, records, priced, resolutions = session_with(provider, model_ref=AUTO, resolved="test/chosen")
    outcome = await session.submit("hi")
    assert outcome.error is None
    assert provider.requests[0].model == "chosen"
    assert resolutions == [(AUTO, Needs())]
    assert priced == ["test/chosen"]
    assert (records[0].payload.model_ref, session.model_ref) == ("test/chosen", AUTO)


async def test_auto_without_a_model_that_fits_is_a_turn_that_failed_and_the_message_stays():
    provider = ScriptedProvider([text_answer("Bonjour")])
    nobody = ConfigurationError("No model that can be used has vision", "")
    session, records, _, _ = session_with(provider, model_ref=AUTO, resolved=nobody)
    outcome = await session.submit("hi")
    assert outcome.error is not None and outcome.error.message == "No model that can be used has vision"
    assert [type(record.payload) for record in records] == [TurnStarted, TurnFailed]
    assert records[0].payload.model_ref == AUTO
    session.model_ref = "test/m"
    assert session.has_history


def test_what_a_conversation_shows_a_model_must_be_able_to_see():
    picture = Image(Url("data:image/png;base64,aGk="), "image/png")
    assert needs_of([user("hi")]) == Needs()
    assert needs_of([User((picture,))]) == Needs(vision=True)
    assert needs_of([], has_tools=True) == Needs(tool_use=True)
    for thinking, is_needed in (
        ({"effort": "high"}, True),
        ({"effort": "none"}, False),
        ({"is_enabled": False}, False),
    ):
        parameters = RequestParameters(thinking=ThinkingOptions(**thinking))
        assert needs_of([], parameters) == Needs(thinking=is_needed)
    assert needs_of([User((Audio(Url("data:image/png;base64,aGk="), "audio/wav"),))]) == Needs(audio_input=True)
    assert needs_of([Tool((ToolResult("1", "look", (picture,)),))]) == Needs(vision=True)
