"""``agdesk models``: what is known of every model, from whom, and what is not."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys

from agdesk.app import build_workspace
from agdesk.commands.columns import table
from agdesk.commands.report import report, visible
from agdesk.core.errors import LlmError, SettingsError
from agdesk.core.providers.capabilities import value_of
from agdesk.core.providers.catalogue import ModelRow, models_document
from agdesk.core.providers.registry import BUILTIN, CUSTOM, ProviderRegistry
from agdesk.core.workspace import Workspace

ALL = "all"

_COLUMNS = {
    "window": "max_context_window",
    "output": "max_output_tokens",
    "vision": "vision",
    "tools": "tool_use",
    "thinking": "thinking",
    "audio": "audio_input",
    "parallel": "parallel_tool_calls",
    "$/M in": "input_per_million",
    "$/M out": "output_per_million",
}


def run(options: argparse.Namespace) -> int:
    """Prints the capability matrix; 1 when a provider was asked for its list and failed."""
    rows, is_whole = asyncio.run(_collect(build_workspace(options.data_dir), options.refresh))
    if options.json:
        print(json.dumps(models_document(rows), ensure_ascii=False, indent=2))
    else:
        print(*table([("model", *_COLUMNS), *map(_cells, rows)]), sep="\n")
    return 0 if is_whole else 1


async def _collect(workspace: Workspace, refresh: str | None) -> tuple[tuple[ModelRow, ...], bool]:
    """The rows, after the providers that are to be asked for their lists were."""
    is_whole = True
    try:
        for provider_id in _asked(workspace, refresh):
            try:
                left_out = (await workspace.refresh_models(provider_id)).left_out
                if left_out:
                    text = f"agdesk: of the list of {provider_id} are left out, as they cannot be shown: {left_out}"
                    print(text, file=sys.stderr)
            except (LlmError, SettingsError) as error:
                report(error.to_record())
                is_whole = False
        return workspace.load_models(), is_whole
    finally:
        await workspace.aclose()


def _asked(workspace: Workspace, refresh: str | None) -> tuple[str, ...]:
    """One provider, or all that can be used, or only the user's own server, whose models nobody else knows."""
    registry = workspace.registry
    if refresh == ALL:
        usable = {row.provider_id for row in workspace.load_models() if row.is_usable}
        return tuple(provider_id for provider_id in registry.provider_ids() if provider_id in usable - {BUILTIN})
    if refresh is not None:
        registry.row(refresh)  # there is none of this name: says so
        return (refresh,)
    return (CUSTOM,) if _has_address(registry) else ()


def _has_address(registry: ProviderRegistry) -> bool:
    try:
        return bool(registry.endpoint(CUSTOM).base_url)
    except LlmError:
        return True  # being asked, it says what is wrong


def _cells(row: ModelRow) -> tuple[str, ...]:
    """The cells of a row: each value with its source in brackets."""
    cells = [visible(row.ref)]
    for field in _COLUMNS.values():
        value = value_of(row.model, field)
        cells.append("unknown" if value is None else f"{_words(value)} ({row.model.source.get(field, '')})")
    return tuple(cells)


def _words(value: bool | float) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"
