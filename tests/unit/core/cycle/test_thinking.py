"""``LlmCycle`` asks for thinking only where ``features.thinking`` is not False, and tells what it left out (SEED5)."""

from __future__ import annotations

import pytest

from agdesk.core.cycle import answering as cycle_module
from agdesk.core.cycle.cycle import LlmCycle
from agdesk.core.cycle.requests import CycleConfig
from agdesk.core.ir.messages import user
from agdesk.core.ir.request import MessageRequest, ThinkingOptions
from agdesk.core.providers.base import ProviderFeatures
from agdesk.core.providers.scripted import ScriptedProvider, text_answer
from agdesk.core.trace.events import RequestPrepared
from agdesk.core.trace.recorder import Recorder

LEFT_OUT = ("thinking was left out: this model does not think",)


@pytest.mark.parametrize(
    ("known", "wanted", "sent", "ledger"),
    [
        (False, ThinkingOptions(is_enabled=True, effort="low"), None, LEFT_OUT),
        (False, ThinkingOptions(effort="high"), None, LEFT_OUT),
        (False, ThinkingOptions(is_enabled=False), None, ()),
        (False, None, None, ()),
        (None, ThinkingOptions(is_enabled=True), ThinkingOptions(is_enabled=True), ()),
        (True, ThinkingOptions(is_enabled=True), ThinkingOptions(is_enabled=True), ()),
    ],
)
async def test_thinking_is_asked_for_unless_the_model_is_known_to_have_none(monkeypatch, known, wanted, sent, ledger):
    def build(messages, **_):
        return MessageRequest("m", tuple(messages), thinking=wanted)

    monkeypatch.setattr(cycle_module, "build_request", build)
    provider = ScriptedProvider([text_answer("Bonjour")], features=ProviderFeatures(thinking=known))
    recorder = Recorder("s")
    records = []
    recorder.records.subscribe(records.append)
    cycle = LlmCycle(provider, CycleConfig("m"), recorder)
    await cycle.run_turn(user("hi"))
    assert provider.requests[0].thinking == sent
    (prepared,) = (record.payload for record in records if isinstance(record.payload, RequestPrepared))
    assert prepared.ledger == ledger
