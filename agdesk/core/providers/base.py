"""The contracts of this folder: provider, wire format, decoder, capabilities and endpoint."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from agdesk.core.errors import LlmError
from agdesk.core.ir.request import MessageRequest
from agdesk.core.ir.response import MessageResponse
from agdesk.core.ir.stream import StreamEvent
from agdesk.core.providers.dialect import Dialect as Dialect
from agdesk.core.providers.dialect import ReasoningReplay as ReasoningReplay
from agdesk.core.providers.errors import classify_rejection
from agdesk.core.trace.recorder import RequestTrace
from agdesk.core.trace.wire import FrameKind


class Frame(NamedTuple):
    """One SSE or NDJSON unit; a tuple, because one is made per event and it costs a third of a frozen dataclass.

    ``data`` is the joined payload, before UTF-8; ``start`` and ``end`` are body offsets and cover the unit's lines and
    its terminator (D4).
    """

    start: int
    end: int
    event_name: str
    data: bytes
    kind: FrameKind = FrameKind.DATA


@dataclass(frozen=True, slots=True)
class ProviderFeatures:
    """What a model can do; None means unknown (SEED1)."""

    streaming: bool | None = None
    thinking: bool | None = None
    vision: bool | None = None
    audio_input: bool | None = None
    tool_use: bool | None = None
    parallel_tool_calls: bool | None = None
    system_prompt_in_messages: bool | None = None
    max_context_window: int | None = None


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars per million tokens; None means unknown."""

    input_per_million: float | None = None
    output_per_million: float | None = None


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What is known of one model (D2, PROV5).

    Attributes:
        source: where each known value comes from: ``user``, ``list``, ``preset`` or ``catalogue``.
        parameters: what a request may set, in the words of the provider's list; None if the list does not tell.
        lacks: parameters that the catalogue knows to be refused, in agdesk's names.
        refused: members of a body that were refused once and are remembered, in the format's names (E07).
        efforts: the words the model knows for how much to think, least first; empty if nobody tells.
        takes_prefill: whether it goes on with the beginning of an answer; None leaves it to the endpoint.
        tool_mode: how tools are offered, as the user has set it: ``auto``, ``native``, ``schema`` or ``off``.
    """

    id: str
    display_name: str
    features: ProviderFeatures = ProviderFeatures()
    max_output_tokens: int | None = None
    prices: Prices = Prices()
    source: Mapping[str, str] = field(default_factory=dict)
    parameters: tuple[str, ...] | None = None
    lacks: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    efforts: tuple[str, ...] = ()
    tool_mode: str = "auto"
    takes_prefill: bool | None = None


@dataclass(frozen=True, slots=True)
class ProviderCapabilities:
    """What a provider, or one of its models, can do. ``supported_models`` None: not limited to a list."""

    provider_name: str
    supported_models: tuple[str, ...] | None
    features: ProviderFeatures


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One row of ``resources/providers/``: where and how to reach a provider.

    Attributes:
        id: what stands before the ``/`` of a model reference.
        wire: name of the wire format.
        base_url_hint: what a base URL looks like where the row has none; empty if it has one.
        base_path: the path of the base URL when the user gives a bare host.
        key_env: environment variable that may hold the key.
        key_header: the header that holds the key as it is; empty: ``Authorization: Bearer``, or as the format has it.
        needs_key: whether a request without a key is refused at once; a row without it needs one if it has ``key_env``.
        is_local: a server on this machine: no first-byte timeout, no proxy (D13, L16).
        first_byte_timeout_s, idle_timeout_s: None waits for ever.
        headers: sent with every request.
        ca_file: a PEM file this server is trusted by, beside the system's certificates; empty for none (SEC5).
        defaults: parameters in the format's own names, sent where the request sets none.
        catalogue_id: the provider's name in the price catalogue; empty if it has none.
        is_free: no request ever costs money: the cost is known to be 0.
    """

    id: str
    name: str
    wire: str
    base_url: str
    base_url_hint: str = ""
    base_path: str = "/v1"
    key_env: str = ""
    key_header: str = ""
    needs_key: bool = True
    is_local: bool = False
    connect_timeout_s: float = 10.0
    first_byte_timeout_s: float | None = 300.0
    idle_timeout_s: float | None = 300.0
    headers: Mapping[str, str] = field(default_factory=dict)
    ca_file: str = ""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    catalogue_id: str = ""
    is_free: bool = False
    dialect: Dialect = field(default_factory=Dialect)
    models: tuple[ModelInfo, ...] = ()


@dataclass(frozen=True, slots=True)
class WireRequest:
    """A rendered request: ``path`` is appended to the base URL; ``ledger`` says what rendering dropped or changed."""

    path: str
    body: Mapping[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict)
    ledger: tuple[str, ...] = ()


class StreamDecoder(Protocol):
    """Turns the frames of one response into events: pure, no I/O, no clock.

    Attributes:
        wrap_document: if set, every parsed JSON document passes through it before it is read; ``explain`` puts its
            recording mappings and sequences there (D5). None otherwise.
        is_terminal: the terminal marker was seen, or the stream failed: nothing more is read (T15).
    """

    wrap_document: Callable[[Any], Any] | None
    is_terminal: bool

    @property
    def is_complete(self) -> bool:
        """The answer has ended as far as its content goes; only usage or the marker may follow (T13)."""

    def decode(self, frame: Frame) -> Sequence[StreamEvent]:
        """The events of one frame. Never raises on foreign bytes: a failure is one ``StreamError``."""

    def decode_document(self, document: Any) -> Sequence[StreamEvent]:
        """The events of a whole JSON answer (not streamed), before ``finish``."""

    def finish(self) -> Sequence[StreamEvent]:
        """The events of the end of the body. Without a terminal marker: INCOMPLETE."""

    def fail(self, error: LlmError) -> Sequence[StreamEvent]:
        """The events of a failure that is not in a frame: what is held back, the end of every block, the error."""


class WireFormat(Protocol):
    """A sans-IO wire format."""

    @property
    def name(self) -> str:
        """As in ``--format`` and in endpoint rows."""

    @property
    def is_ndjson(self) -> bool:
        """Streams are lines of JSON instead of server-sent events."""

    @property
    def noise(self) -> frozenset[str]:
        """Leaf paths that carry nothing for a user, with ``[]`` for any index: not counted as ignored (D5)."""

    @property
    def models_path(self) -> str:
        """Path and query of the list of models, appended to the base URL."""

    @property
    def takes_system_messages(self) -> bool:
        """The system text is a message among the others instead of a member of the request."""

    @property
    def demanded(self) -> frozenset[str]:
        """Members of a request, beside what it asks, that the format demands: without them it is refused (E07)."""
        return frozenset()

    @property
    def max_temperature(self) -> float:
        """The highest temperature that can be asked for."""
        return 2.0

    def parameters(self, dialect: Dialect) -> frozenset[str]:
        """What a request can say to an endpoint beside messages and tools, by the names of ``parameter_names``."""

    def describe_model(self, model: str) -> WireRequest | None:
        """The question that tells more of a model than the list does; None: there is none."""
        return None

    def render_request(
        self, request: MessageRequest, *, endpoint: Endpoint, api_key: str | None, is_streaming: bool
    ) -> WireRequest:
        """The HTTP side of a request, the header with the key included."""

    def decoder(self, *, endpoint: Endpoint, model: str, seed: str) -> StreamDecoder:
        """A fresh decoder; ``seed`` makes the made-up ids of calls and messages (D11)."""

    def classify_error(self, status: int, *, headers: Mapping[str, str], body: bytes, now_s: float) -> LlmError:
        """The error that a response stands for; ``now_s`` is the wall clock for dates in headers (E04)."""
        return classify_rejection(status, headers=headers, body=body, now_s=now_s)

    def parse_models(self, document: Any) -> tuple[ModelInfo, ...]:
        """The models of the endpoint's list; unknown stays unknown (PROV5)."""


class LlmProvider(Protocol):
    """The documents' trait."""

    async def chat(self, request: MessageRequest) -> MessageResponse:
        """The whole answer of one request. Raises ``LlmError``."""

    def chat_stream(
        self, request: MessageRequest, *, trace: RequestTrace | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        """The events of one request, pulled by the caller; closing the generator closes the connection.

        Before it sends anything it tells ``trace`` that the request is rendered, and with which ledger.

        Raises ``LlmError`` before the first event; after it a failure is one ``StreamError`` as the last event.
        """

    def capabilities(self, model: str | None = None) -> ProviderCapabilities:
        """What the provider, or one of its models, can do."""
