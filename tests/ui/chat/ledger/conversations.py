"""A conversation over the real rows of providers, whose answers are scripts."""

from __future__ import annotations

from pathlib import Path

from agdesk.core.cycle import AgentSession
from agdesk.core.ir import stream as ev
from agdesk.core.ir.response import StopReason
from agdesk.core.providers.registry import ProviderRegistry
from agdesk.core.providers.scripted import ScriptedProvider, Step
from agdesk.core.store.store import Store
from agdesk.core.workspace import Workspace

ANTHROPIC, OPENAI, RESPONSES = "anthropic/claude-sonnet-4-5", "openai/gpt-5", "openai-responses/gpt-5"
THOUGHTFUL: tuple[Step, ...] = (
    ev.MessageStart("i", "m"),
    ev.ContentBlockStart(0, ev.ThinkingType()),
    ev.ThinkingDelta("let me see", 0),
    ev.ContentBlockEnd(0),
    ev.ContentBlockStart(1, ev.TextType()),
    ev.TextDelta("It is a cat.", 1),
    ev.ContentBlockEnd(1),
    ev.MessageComplete(StopReason.END_TURN),
)


def conversation(
    tmp_path: Path, *scripts: tuple[Step, ...], model_ref: str = ANTHROPIC
) -> tuple[Workspace, AgentSession]:
    """A session with a model, in a workspace whose every provider plays the scripts."""
    registry = ProviderRegistry(data_folder=tmp_path)
    provider = ScriptedProvider(scripts)
    registry.get = lambda _provider_id: provider  # type: ignore[method-assign, assignment]
    store = Store.open(tmp_path, budget_bytes=lambda: 100_000_000)
    workspace = Workspace(registry, data_dir=tmp_path, store=store)
    return workspace, workspace.open_session(model_ref)
