"""What must hold for any body in any wire format, however it is read."""

from __future__ import annotations

import json

from agdesk.core.ir.blocks import Text, ToolResult, ToolUse
from agdesk.core.ir.messages import Assistant, Origin, Tool, user
from agdesk.core.ir.request import MessageRequest
from agdesk.core.ir.response import MessageResponse
from agdesk.core.ir.stream import ContentBlockEnd, ContentBlockStart
from agdesk.core.providers.base import Endpoint, WireFormat
from agdesk.core.providers.registry import wire_format
from agdesk.core.providers.replay import replay, replay_document
from tests.wire.reading import Answer, Reading

ERROR_STATUS = 429


def endpoint_of(wire: str) -> Endpoint:
    return Endpoint("fuzzed", "Fuzzed", wire, "http://127.0.0.1:1/v1")


class Checks:
    """What must hold for any body. The first byte of an input says what is done with it, the others are the body.

    Its lowest bit: the fields are explained; the next: the answer is sent back; the rest: the size of the reads.
    255 stands for an error status.
    """

    def __init__(self, wire: str) -> None:
        self._wire: WireFormat = wire_format(wire)
        self._endpoint = endpoint_of(wire)
        self._reading = Reading(self._wire, self._endpoint)

    def __call__(self, data: bytes) -> None:
        how, body = (data[0], data[1:]) if data else (0, b"")
        status = ERROR_STATUS if how == 255 else 200
        whole = self._reading.read(body, status=status)
        cut = self._reading.read(body, status=status, size=max(how >> 2, 1))
        # repr: not a number is not equal to itself
        assert repr(cut.events) == repr(whole.events), "the events depend on how the body is cut into reads"
        check_order(whole)
        if how & 1:
            self._explain(body, status=status)
        if how & 2:
            self._send_back(whole.response)

    def _explain(self, body: bytes, *, status: int) -> None:
        endpoint = self._endpoint
        played = replay(
            body, wire=self._wire, endpoint=endpoint, model="m", status=status, headers={}, chunk_bytes=None, now_s=0.0
        )
        # nothing in the answer is neither JSON nor Unicode
        json.dumps(replay_document(played), ensure_ascii=False, allow_nan=False).encode()

    def _send_back(self, response: MessageResponse) -> None:
        """The answer is history that can be sent, with a result for each of its calls."""
        origin = Origin(self._endpoint.id, "asked", self._wire.name)
        results = tuple(ToolResult(call.id, call.name, (Text("done"),)) for call in self._calls(response))
        messages = (user("Hi"), Assistant(response.message.content, origin), Tool(results), user("Go on"))
        rendered = self._wire.render_request(
            MessageRequest("asked", messages), endpoint=self._endpoint, api_key="key", is_streaming=True
        )
        json.dumps(rendered.body, ensure_ascii=False, allow_nan=False).encode()

    @staticmethod
    def _calls(response: MessageResponse) -> list[ToolUse]:
        return [block for block in response.message.content if isinstance(block, ToolUse)]


def check_order(answer: Answer) -> None:
    """Every event was legal, and every block that was opened was closed."""
    assert answer.ignored_count == 0, "an event was not legal where it came"
    opened = [event.index for event in answer.events if isinstance(event, ContentBlockStart)]
    closed = [event.index for event in answer.events if isinstance(event, ContentBlockEnd)]
    assert len(set(opened)) == len(opened), "a block was opened twice"
    assert sorted(opened) == sorted(closed), "blocks and their ends do not match"
