"""``agdesk replay``: a recorded response body through the program's own path."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from agdesk.commands.report import report, show
from agdesk.core.errors import AgdeskError, ConfigurationError
from agdesk.core.providers.base import Endpoint
from agdesk.core.providers.presets import shipped_endpoints
from agdesk.core.providers.registry import wire_format
from agdesk.core.providers.replay import Replay, event_lines, replay, replay_document

_USAGE, _FAILED = 2, 1


def run(options: argparse.Namespace) -> int:
    """Decodes and prints; 0 when the body holds an answer, 1 when it holds an error, 2 when it cannot be read."""
    try:
        replayed = _replay(options)
    except OSError as error:
        print(f"agdesk: {options.file} cannot be read: {error.strerror or error}", file=sys.stderr)
        return _USAGE
    except AgdeskError as error:
        report(error.to_record())
        return _USAGE
    error_record = replayed.response.error
    if options.events:
        for line in event_lines(replayed):
            print(json.dumps(line, ensure_ascii=False))
    elif options.json:
        print(json.dumps(replay_document(replayed), ensure_ascii=False))
    else:
        show(replayed.response.text(), end="\n")
        if error_record is not None:
            report(error_record)
    return _FAILED if error_record is not None else 0


def _replay(options: argparse.Namespace) -> Replay:
    path: Path = options.file
    return replay(
        path.read_bytes(),
        wire=wire_format(options.format),
        endpoint=_endpoint(options.provider, options.format),
        model=options.model,
        status=options.status,
        headers=dict(_header(text) for text in options.header),
        chunk_bytes=options.chunk,
        now_s=time.time(),
    )


def _endpoint(provider_id: str | None, wire: str) -> Endpoint:
    if provider_id is None:
        return Endpoint("replay", "the recording", wire, "")
    endpoint = shipped_endpoints().get(provider_id)
    if endpoint is None:
        known = ", ".join(shipped_endpoints())
        raise ConfigurationError(f"There is no provider {provider_id!r}", f"Known are: {known}.")
    return endpoint


def _header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon or not name.strip():
        raise ConfigurationError(f"{text!r} is not a header", "Write it as 'Name: value'.")
    return name.strip().lower(), value.strip()
