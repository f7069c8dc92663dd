"""``agdesk models``: what is known of every model, and what is not."""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import json

from agdesk.app import build_workspace
from agdesk.commands.report import report, visible
from agdesk.core.errors import LlmError
from agdesk.core.providers.catalogue import ModelRow, models_document
from agdesk.core.providers.http import HttpProvider
from agdesk.core.providers.registry import CUSTOM
from agdesk.core.workspace import Workspace

_COLUMNS = ("model", "window", "vision", "tools", "thinking", "audio", "parallel", "$/M in", "$/M out")


def run(options: argparse.Namespace) -> int:
    """Prints the capability matrix; 1 when the user's own server was asked for its models and failed."""
    rows, is_whole = asyncio.run(_collect(build_workspace(options.data_dir)))
    if options.json:
        print(json.dumps(models_document(rows), ensure_ascii=False, indent=2))
    else:
        table = [_COLUMNS, *(_cells(row) for row in rows)]
        widths = [max(len(line[i]) for line in table) for i in range(len(_COLUMNS))]
        for line in table:
            print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
    return 0 if is_whole else 1


async def _collect(workspace: Workspace) -> tuple[tuple[ModelRow, ...], bool]:
    """What presets and catalogue know, and what the server of ``[providers.custom]`` lists, if one is set."""
    registry = workspace.registry
    rows = registry.models()
    try:
        if registry.endpoint(CUSTOM).base_url:
            provider = registry.get(CUSTOM)
            assert isinstance(provider, HttpProvider)
            rows += tuple(ModelRow(CUSTOM, model) for model in await provider.list_models())
        return rows, True
    except LlmError as error:
        report(error.to_record())
        return rows, False
    finally:
        await workspace.aclose()


def _cells(row: ModelRow) -> tuple[str, ...]:
    model, features = row.model, row.model.features
    flags = (
        features.vision,
        features.tool_use,
        features.thinking,
        features.audio_input,
        features.parallel_tool_calls,
    )
    prices = dataclasses.astuple(model.prices)
    return (
        visible(f"{row.provider_id}/{model.id}"),
        "unknown" if features.max_context_window is None else f"{features.max_context_window:,}",
        *("unknown" if flag is None else "yes" if flag else "no" for flag in flags),
        *("unknown" if price is None else f"{price:g}" for price in prices),
    )
