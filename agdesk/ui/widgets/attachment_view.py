"""What is attached to a message, as it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

AttachmentKind = Literal["image", "audio", "file"]


@dataclass(frozen=True, slots=True)
class AttachmentView:
    """One attachment without its bytes.

    Args:
        key: names its bytes; the same bytes have the same key.
        kind: an ``image`` has a thumbnail.
        name: of the file.
        detail: what it is and how large, in words.
    """

    key: str
    kind: AttachmentKind
    name: str
    detail: str
