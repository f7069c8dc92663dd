"""``agdesk doctor``: what a bug report needs. It never prints a secret, only whether one is there."""

from __future__ import annotations

import argparse
import asyncio
import json
from pathlib import Path
from typing import Any

from agdesk.app import build_workspace
from agdesk.diagnosis import as_text, examine


def run(options: argparse.Namespace) -> int:
    """Prints the report; 0 even when something is missing: telling is the job."""
    document = asyncio.run(_examine(options.data_dir))
    print(json.dumps(document, ensure_ascii=False, indent=2) if options.json else as_text(document))
    return 0


async def _examine(data_dir: Path | None) -> dict[str, Any]:
    workspace = build_workspace(data_dir)
    try:
        return await examine(workspace)
    finally:
        await workspace.aclose()
