"""Ollama's own format (``/api/chat``): lines of JSON, whole calls, thinking in a member of its own.

``decoder`` reads frames, ``message`` and ``calls`` what is in them; ``render`` and ``history`` make requests. May
import ``core.ir`` and the modules of ``providers`` that all formats share.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typing_extensions import override

from agdesk.core.errors import LlmError
from agdesk.core.ir.request import MessageRequest
from agdesk.core.providers.base import Dialect, Endpoint, ModelInfo, StreamDecoder, WireFormat, WireRequest
from agdesk.core.providers.parameter_names import PARAMETERS
from agdesk.core.providers.wire.ollama.decoder import OllamaDecoder
from agdesk.core.providers.wire.ollama.failures import rejection
from agdesk.core.providers.wire.ollama.fields import NOISE, WIRE
from agdesk.core.providers.wire.ollama.models import parse_models
from agdesk.core.providers.wire.ollama.render import render


class Ollama(WireFormat):
    """The wire format ``ollama``."""

    name = WIRE
    is_ndjson = True
    noise = NOISE
    models_path = "/tags"
    takes_system_messages = True

    @override
    def parameters(self, dialect: Dialect) -> frozenset[str]:
        return PARAMETERS - {"thinking.budget_tokens", "parallel_tool_calls"}

    @override
    def describe_model(self, model: str) -> WireRequest | None:
        return WireRequest("/show", {"model": model})

    @override
    def render_request(
        self, request: MessageRequest, *, endpoint: Endpoint, api_key: str | None, is_streaming: bool
    ) -> WireRequest:
        return render(request, endpoint=endpoint, api_key=api_key, is_streaming=is_streaming)

    @override
    def decoder(self, *, endpoint: Endpoint, model: str, seed: str) -> StreamDecoder:
        return OllamaDecoder(endpoint=endpoint, model=model, seed=seed)

    @override
    def classify_error(self, status: int, *, headers: Mapping[str, str], body: bytes, now_s: float) -> LlmError:
        return rejection(status, headers=headers, body=body, now_s=now_s)

    @override
    def parse_models(self, document: Any) -> tuple[ModelInfo, ...]:
        return parse_models(document)
