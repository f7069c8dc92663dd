"""Changes that keep a body a body: of its frames, and of the JSON inside them.

Flipped bits make broken JSON, which every decoder refuses in the same line of code.
"""

from __future__ import annotations

import json
import random
from typing import Any

ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 7, 1.5, 2**70, float("nan"), float("inf"), "", " ", "x", "stop", "text", "0", "[]",
    "{", "error", "\ud83d", "\ude00", "\0", "<think>", "</think>", [], {}, [None], [[]], [{}], {"": None},
    {"type": "x"}, {"text": "x"}, {"error": "x"}, {"message": "x"}, {"content": [{"type": "text", "text": "x"}]},
)  # fmt: skip


def mutate(body: bytes, rng: random.Random) -> bytes:
    """``body`` with one change."""
    separator = next((each for each in (b"\r\n\r\n", b"\n\n") if each in body), b"\n")
    frames = body.split(separator)
    place = rng.randrange(len(frames))
    match rng.randrange(8):
        case 0:
            del frames[place]
        case 1:
            frames.insert(rng.randrange(len(frames) + 1), frames[place])
        case 2:
            other = rng.randrange(len(frames))
            frames[place], frames[other] = frames[other], frames[place]
        case 3:
            frames = frames[: place + 1]
        case _:
            frames[place] = _changed(frames[place], frames, rng)
    return separator.join(frames)


def _changed(frame: bytes, frames: list[bytes], rng: random.Random) -> bytes:
    """A frame with one value of its JSON changed; one without JSON stays."""
    document, head = _parsed(frame)
    places = list(_places(document))
    if not places:
        return frame
    container, key = rng.choice(places)
    match rng.randrange(5):
        case 0:
            del container[key]
        case 1:
            container[key] = rng.choice(_values(rng.choice(frames)) or [None])
        case 2 if isinstance(container, dict):
            container[rng.choice(_keys(rng.choice(frames)) or ["x"])] = container[key]
        case 3 if isinstance(container, list):
            container.insert(rng.randrange(len(container) + 1), container[key])
        case _:
            container[key] = rng.choice(ODD_VALUES)
    return head + json.dumps(document).encode()


def _parsed(frame: bytes) -> tuple[Any, bytes]:
    """The JSON of a frame and what stands before it."""
    start = min((found for found in (frame.find(b"{"), frame.find(b"[")) if found >= 0), default=len(frame))
    try:
        return json.loads(frame[start:]), frame[:start]
    except (ValueError, RecursionError):
        return None, frame


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a document: a container and a key or index in it."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    return [place for key in keys for place in ((value, key), *_places(value[key]))]


def _values(frame: bytes) -> list[Any]:
    return [container[key] for container, key in _places(_parsed(frame)[0])]


def _keys(frame: bytes) -> list[str]:
    return [key for _, key in _places(_parsed(frame)[0]) if isinstance(key, str)]
