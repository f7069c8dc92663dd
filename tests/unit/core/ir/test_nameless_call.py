"""A call that names no tool never runs (K07)."""

from agdesk.core.ir import stream as ev
from agdesk.core.ir.partial import PartialMessageResponse
from agdesk.core.ir.response import StopReason


def test_K07_a_call_whose_name_never_came_is_kept_and_cannot_run():
    partial = PartialMessageResponse()
    for event in (
        ev.MessageStart("i", "m"),
        ev.ContentBlockStart(0, ev.ToolUseType("c", "")),
        ev.ToolCallArgumentsDelta('{"x":1}', 0),
        ev.ToolCallEnd(0),
        ev.ContentBlockEnd(0),
        ev.MessageComplete(StopReason.TOOL_USE),
    ):
        partial.apply(event)
    (call,) = partial.finalize().message.content
    assert (call.input, call.raw_arguments) == (None, '{"x":1}')
    assert call.input_error == "the call names no tool"
