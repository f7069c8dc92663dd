"""OpenAI Chat Completions, as every server speaks it: requests, streams, whole answers, errors and model lists.

``decoder`` reads frames, ``choice`` what is in them, ``tool_calls`` and ``reasoning`` the two hard parts; ``render``
and ``history`` make requests. May import ``core.ir`` and ``providers.{base,errors}``. How an endpoint deviates is its
row's ``[dialect]``; what every client must survive is read the same for all.
"""

from __future__ import annotations

from typing import Any

from typing_extensions import override

from agdesk.core.ir.openai_chat.types import WIRE
from agdesk.core.ir.request import MessageRequest
from agdesk.core.providers.base import Dialect, Endpoint, ModelInfo, StreamDecoder, WireFormat, WireRequest
from agdesk.core.providers.model_list import parse_models
from agdesk.core.providers.wire.openai_chat.decoder import OpenAiChatDecoder
from agdesk.core.providers.wire.openai_chat.fields import NOISE
from agdesk.core.providers.wire.openai_chat.render import render
from agdesk.core.providers.wire.openai_chat.wishes import sayable_parameters


class OpenAiChat(WireFormat):
    """The wire format ``openai_chat``."""

    name = WIRE
    is_ndjson = False
    noise = NOISE
    models_path = "/models"
    takes_system_messages = True

    @override
    def parameters(self, dialect: Dialect) -> frozenset[str]:
        return sayable_parameters(dialect)

    @override
    def render_request(
        self, request: MessageRequest, *, endpoint: Endpoint, api_key: str | None, is_streaming: bool
    ) -> WireRequest:
        return render(request, endpoint=endpoint, api_key=api_key, is_streaming=is_streaming)

    @override
    def decoder(self, *, endpoint: Endpoint, model: str, seed: str) -> StreamDecoder:
        return OpenAiChatDecoder(endpoint=endpoint, model=model, seed=seed)

    @override
    def parse_models(self, document: Any) -> tuple[ModelInfo, ...]:
        return parse_models(document)
