"""What a model cannot take of what is to be sent, known beforehand (CHAT7).

What a format leaves out is asked of the format itself: it renders a message with a mark in it, and the mark is in the
body or it is not. So there is no second table that could say something else.
"""

from __future__ import annotations

import base64
import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agdesk.core.ir.blocks import Audio, ContentBlock, File, Image, Text, Url
from agdesk.core.ir.messages import User
from agdesk.core.ir.request import MessageRequest
from agdesk.core.providers.base import Endpoint, ModelInfo, WireFormat
from agdesk.core.providers.registry import split_model_ref, wire_format
from agdesk.core.providers.rendering import wire_request

if TYPE_CHECKING:
    from agdesk.core.providers.registry import ProviderRegistry

_MARK = "agdesk looks for this mark"
_URL_MARK = base64.b64encode(_MARK.encode()).decode()


@dataclass(frozen=True, slots=True)
class Untaken:
    """One block that does not arrive.

    Attributes:
        index: its place among the blocks.
        is_of_model: the model is known not to take it; else its provider has no place for it.
    """

    index: int
    is_of_model: bool


def untaken(
    blocks: Sequence[ContentBlock], *, wire: WireFormat, endpoint: Endpoint, model: ModelInfo
) -> tuple[Untaken, ...]:
    """The images, sounds and files that do not reach a model. What nobody knows is taken to arrive."""
    found: list[Untaken] = []
    known: dict[tuple[type, str], bool] = {}
    for index, block in enumerate(blocks):
        if not isinstance(block, Image | Audio | File):
            continue
        if _is_refused(block, model):
            found.append(Untaken(index, is_of_model=True))
            continue
        kind = (type(block), block.media_type)
        if kind not in known:
            known[kind] = _is_sent(block, wire=wire, endpoint=endpoint, model=model)
        if not known[kind]:
            found.append(Untaken(index, is_of_model=False))
    return tuple(found)


def untaken_by(registry: ProviderRegistry, model_ref: str, blocks: Sequence[ContentBlock]) -> tuple[Untaken, ...]:
    """What a model of the registry does not take. Call it on a thread.

    Raises:
        ConfigurationError: there is no such provider, or it cannot be reached as configured.
    """
    provider_id, model = split_model_ref(model_ref)
    endpoint = registry.endpoint(provider_id)
    info = registry.table.info(provider_id, model)
    return untaken(blocks, wire=wire_format(endpoint.wire), endpoint=endpoint, model=info)


def _is_refused(block: Image | Audio | File, model: ModelInfo) -> bool:
    match block:
        case Image():
            return model.features.vision is False
        case Audio():
            return model.features.audio_input is False
        case File():
            return False


def _is_sent(block: Image | Audio | File, *, wire: WireFormat, endpoint: Endpoint, model: ModelInfo) -> bool:
    marked = dataclasses.replace(block, source=Url(f"data:{block.media_type};base64,{_URL_MARK}"))
    request = MessageRequest(model.id, (User((Text("."), marked)),))
    sent = wire_request(request, wire=wire, endpoint=endpoint, model=model, api_key=None)
    body = json.dumps(sent.body)
    return _MARK in body or _URL_MARK in body
