"""OpenAI Responses, as OpenAI, Azure, xAI, DeepSeek, OpenRouter, LM Studio and llama.cpp speak it.

``decoder`` reads frames, ``output`` finds the item that an event is about, ``message``, ``thought``, ``call`` and
``other_item`` are the kinds of items; ``render``, ``history`` and ``parts`` make requests, always without state on the
server (P14). May import ``core.ir`` and ``providers``, but no other wire format. How an endpoint deviates is its row's
``[dialect]``.
"""

from __future__ import annotations

from typing import Any

from typing_extensions import override

from agdesk.core.ir.request import MessageRequest
from agdesk.core.providers.base import Dialect, Endpoint, ModelInfo, StreamDecoder, WireFormat, WireRequest
from agdesk.core.providers.model_list import parse_models
from agdesk.core.providers.parameter_names import PARAMETERS
from agdesk.core.providers.wire.openai_responses.decoder import OpenAiResponsesDecoder
from agdesk.core.providers.wire.openai_responses.fields import NOISE, WIRE
from agdesk.core.providers.wire.openai_responses.render import render


class OpenAiResponses(WireFormat):
    """The wire format ``openai_responses``."""

    name = WIRE
    is_ndjson = False
    noise = NOISE
    models_path = "/models"
    takes_system_messages = True

    @override
    def parameters(self, dialect: Dialect) -> frozenset[str]:
        return PARAMETERS - {"stop", "seed", "thinking.budget_tokens"}

    @override
    def render_request(
        self, request: MessageRequest, *, endpoint: Endpoint, api_key: str | None, is_streaming: bool
    ) -> WireRequest:
        return render(request, endpoint=endpoint, api_key=api_key, is_streaming=is_streaming)

    @override
    def decoder(self, *, endpoint: Endpoint, model: str, seed: str) -> StreamDecoder:
        return OpenAiResponsesDecoder(model=model, seed=seed)

    @override
    def parse_models(self, document: Any) -> tuple[ModelInfo, ...]:
        return parse_models(document)
