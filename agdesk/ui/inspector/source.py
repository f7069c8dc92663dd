"""What the inspector needs of the workspace, and the bytes that went over the wire."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from agdesk.core.cycle import AgentSession
from agdesk.core.ir.blocks import BlobRef
from agdesk.core.trace.events import TraceRecord

_KEPT_BYTES = 4_000_000
_BLOCK_BYTES = 65_536  # a body that grew in one piece would leave holes in the memory, each as large as it was once
_STORED_BODIES_KEPT = 2


class KeyVariable(Protocol):
    """A provider, and the environment variable that may hold its key; empty for none."""

    @property
    def id(self) -> str: ...
    @property
    def key_env(self) -> str: ...


class TraceSource(Protocol):
    """The part of ``Workspace`` that the inspector uses."""

    def trace(self, conversation_id: str, /) -> AsyncIterator[list[TraceRecord]]: ...
    async def body(self, request_id: str, /) -> bytes | None: ...
    async def blob(self, reference: BlobRef, /) -> bytes | None: ...
    def providers(self) -> Sequence[KeyVariable]: ...


class WireBytes:
    """Bodies of requests and responses: those that come by while it listens, else those that are stored.

    Of requests and of responses the newest 4 MB each are kept as they come by.
    """

    def __init__(self, source: TraceSource, session: AgentSession) -> None:
        self._source = source
        self._live: OrderedDict[str, list[bytearray]] = OrderedDict()
        self._live_bytes = 0
        self._blobs: dict[str, bytes] = {}
        self._blob_bytes = 0
        self._stored: OrderedDict[str, bytes] = OrderedDict()
        self._cut_ids: set[str] = set()  # requests whose beginning may not have come by
        self._is_first_cut = session.is_running
        recorder = session.recorder
        self._unsubscribe = (recorder.bodies.subscribe(self._add), recorder.blobs.subscribe(self._add_blob))

    def close(self) -> None:
        """Stops listening and lets everything go."""
        for unsubscribe in self._unsubscribe:
            unsubscribe()
        self._live.clear()
        self._blobs.clear()
        self._stored.clear()

    async def response_body(self, request_id: str, *, least_bytes: int = 0) -> bytes | None:
        """The body of a response as far as it has come; None if it is not kept.

        Args:
            request_id: of the response.
            least_bytes: a stored body that is shorter was read before these came, and is read again.
        """
        if request_id in self._live:
            return b"".join(self._live[request_id])
        body: bytes | None = self._stored.get(request_id)
        if body is None or len(body) < least_bytes:
            body = await self._source.body(request_id)
            if body is not None:
                self._stored[request_id] = body
                while len(self._stored) > _STORED_BODIES_KEPT:
                    self._stored.popitem(last=False)
        return body

    async def request_body(self, reference: BlobRef) -> bytes | None:
        """The body of a request; None if it is not kept."""
        body = self._blobs.get(reference.sha256)
        return body if body is not None else await self._source.blob(reference)

    def _add(self, piece: tuple[str, bytes]) -> None:
        request_id, chunk = piece
        if self._is_first_cut:
            self._is_first_cut = False
            self._cut_ids.add(request_id)
        if request_id in self._cut_ids:
            return
        blocks = self._live.setdefault(request_id, [bytearray()])
        if len(blocks[-1]) >= _BLOCK_BYTES:
            blocks.append(bytearray())
        blocks[-1] += chunk
        self._live_bytes += len(chunk)
        while self._live_bytes > _KEPT_BYTES:
            oldest_id, blocks = self._live.popitem(last=False)
            self._live_bytes -= sum(map(len, blocks))
            self._cut_ids.add(oldest_id)  # what follows is no beginning

    def _add_blob(self, blob: tuple[BlobRef, bytes]) -> None:
        reference, content = blob
        if reference.sha256 not in self._blobs:
            self._blobs[reference.sha256] = content
            self._blob_bytes += len(content)
        while self._blob_bytes > _KEPT_BYTES:
            self._blob_bytes -= len(self._blobs.pop(next(iter(self._blobs))))
