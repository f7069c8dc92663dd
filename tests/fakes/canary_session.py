"""Holds a key for the session and asks with it, in a process of its own; prints every record.

``python -m tests.fakes.canary_session DATA_FOLDER BASE_URL BODY_FILE`` with the key as the first line of its stdin and
a prompt on each further line. What is recorded of the response bodies goes to ``BODY_FILE``.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from agdesk.app import build_workspace
from agdesk.core.trace.events import payload_to_json


async def ask(data_dir: Path, base_url: str, body_file: Path) -> None:
    key, *prompts = sys.stdin.read().splitlines()
    workspace = build_workspace(data_dir, base_urls={"openai": base_url})
    try:
        workspace.secrets.hold("openai", key)
        session = workspace.open_session("openai/gpt-5")
        bodies: list[bytes] = []
        session.recorder.bodies.subscribe(lambda part: bodies.append(part[1]))
        session.records.subscribe(lambda record: print(json.dumps(payload_to_json(record.payload))))
        for prompt in prompts:
            await session.submit(prompt)
        body_file.write_bytes(b"".join(bodies))
    finally:
        await workspace.aclose()


if __name__ == "__main__":
    asyncio.run(ask(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])))
