"""Anthropic Messages: requests, streams, whole answers, errors and the list of models.

``decoder`` reads frames, ``open_blocks`` what is in them; ``render`` makes requests out of ``options``, ``history``,
``answers`` and ``parts``. May import ``core.ir`` and the parts of ``providers`` that all formats share.
"""

from __future__ import annotations

from typing import Any

from typing_extensions import override

from agdesk.core.ir.request import MessageRequest
from agdesk.core.providers.base import Dialect, Endpoint, ModelInfo, StreamDecoder, WireFormat, WireRequest
from agdesk.core.providers.parameter_names import PARAMETERS, sayable
from agdesk.core.providers.wire.anthropic.decoder import AnthropicDecoder
from agdesk.core.providers.wire.anthropic.fields import NOISE, WIRE
from agdesk.core.providers.wire.anthropic.models import parse_models
from agdesk.core.providers.wire.anthropic.options import MAX_TEMPERATURE
from agdesk.core.providers.wire.anthropic.render import render


class Anthropic(WireFormat):
    """The wire format ``anthropic``."""

    name = WIRE
    is_ndjson = False
    noise = NOISE
    models_path = "/models?limit=1000"
    takes_system_messages = False
    demanded = frozenset({"max_tokens"})
    max_temperature = MAX_TEMPERATURE

    @override
    def parameters(self, dialect: Dialect) -> frozenset[str]:
        return sayable(PARAMETERS - {"seed"}, dialect)

    @override
    def render_request(
        self, request: MessageRequest, *, endpoint: Endpoint, api_key: str | None, is_streaming: bool
    ) -> WireRequest:
        return render(request, endpoint=endpoint, api_key=api_key, is_streaming=is_streaming)

    @override
    def decoder(self, *, endpoint: Endpoint, model: str, seed: str) -> StreamDecoder:
        return AnthropicDecoder(model=model, seed=seed)

    @override
    def parse_models(self, document: Any) -> tuple[ModelInfo, ...]:
        return parse_models(document)
