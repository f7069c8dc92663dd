"""Recorded responses of real servers, where they are at hand; nothing of them is in the repository."""

from __future__ import annotations

from pathlib import Path

from agdesk.core.providers.base import Endpoint, WireFormat
from agdesk.core.providers.explain import explain
from agdesk.core.providers.framing import NdjsonFramer, SseFramer

ROOT = Path(__file__).resolve().parents[3] / "shared" / "recordings"


def body_of(path: Path) -> bytes:
    """The bytes of a body; of a stream whose framing was stripped (``.chunks.txt``), with it put back."""
    raw = path.read_bytes()
    if path.name.endswith(".chunks.txt"):
        return b"".join(b"data: " + line + b"\n\n" for line in raw.splitlines() if line.strip())
    return raw


def ignored_paths(body: bytes, *, wire: WireFormat, endpoint: Endpoint) -> set[str]:
    """The fields of a stream that had no effect and are not in the format's table of noise (D5)."""
    framer = NdjsonFramer() if wire.is_ndjson else SseFramer()
    frames = [*framer.feed(body), *framer.finish()]
    explanations = explain(frames, wire=wire, endpoint=endpoint, model="m")
    return {path for explanation in explanations for path in explanation.ignored}
