"""Google's generateContent, as the Gemini API and Vertex AI speak it: requests, streams, whole answers, errors, models.

``decoder`` reads chunks, ``parts`` what is in them, ``calls`` and ``partial_arguments`` the calls; ``render``,
``history`` and ``media`` make requests. The Interactions API is another format and is not spoken (G19).
"""

from __future__ import annotations

from typing import Any

from typing_extensions import override

from agdesk.core.ir.request import MessageRequest
from agdesk.core.providers.base import Dialect, Endpoint, ModelInfo, StreamDecoder, WireFormat, WireRequest
from agdesk.core.providers.parameter_names import PARAMETERS
from agdesk.core.providers.wire.gemini.decoder import GeminiDecoder
from agdesk.core.providers.wire.gemini.fields import NOISE, WIRE
from agdesk.core.providers.wire.gemini.models import parse_models
from agdesk.core.providers.wire.gemini.render import render


class Gemini(WireFormat):
    """The wire format ``gemini``."""

    name = WIRE
    is_ndjson = False
    noise = NOISE
    models_path = "/models?pageSize=1000"
    takes_system_messages = False

    @override
    def parameters(self, dialect: Dialect) -> frozenset[str]:
        return PARAMETERS - {"parallel_tool_calls"}

    @override
    def render_request(
        self, request: MessageRequest, *, endpoint: Endpoint, api_key: str | None, is_streaming: bool
    ) -> WireRequest:
        return render(request, endpoint=endpoint, api_key=api_key, is_streaming=is_streaming)

    @override
    def decoder(self, *, endpoint: Endpoint, model: str, seed: str) -> StreamDecoder:
        return GeminiDecoder(model=model, seed=seed)

    @override
    def parse_models(self, document: Any) -> tuple[ModelInfo, ...]:
        return parse_models(document)
