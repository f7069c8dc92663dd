"""``agdesk models``: what is known of every model, and what is not."""

from __future__ import annotations

import argparse
import dataclasses
import json

from agdesk.app import build_workspace
from agdesk.core.providers.base import ModelInfo
from agdesk.core.providers.catalogue import ModelRow, models_document

_COLUMNS = ("model", "window", "vision", "tools", "thinking", "audio", "parallel", "$/M in", "$/M out")


def run(options: argparse.Namespace) -> int:
    """Prints the capability matrix."""
    rows = build_workspace(options.data_dir).registry.models()
    if options.json:
        print(json.dumps(models_document(rows), ensure_ascii=False, indent=2))
        return 0
    table = [_COLUMNS, *(_cells(row) for row in rows)]
    widths = [max(len(line[i]) for line in table) for i in range(len(_COLUMNS))]
    for line in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
    return 0


def _cells(row: ModelRow) -> tuple[str, ...]:
    model: ModelInfo = row.model
    features = model.features
    flags = (
        features.vision,
        features.tool_use,
        features.thinking,
        features.audio_input,
        features.parallel_tool_calls,
    )
    prices = dataclasses.astuple(model.prices)
    return (
        f"{row.provider_id}/{model.id}",
        "unknown" if features.max_context_window is None else f"{features.max_context_window:,}",
        *("unknown" if flag is None else "yes" if flag else "no" for flag in flags),
        *("unknown" if price is None else f"{price:g}" for price in prices),
    )
