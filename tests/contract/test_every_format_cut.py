"""Every wire format, cut anywhere: what came is kept, no cut call runs, and it never looks whole (PROV3, T16, T17)."""

import pytest

from agdesk.core.errors import ErrorCategory, LlmError, ProtocolError, TransportError
from agdesk.core.ir.response import StopReason
from agdesk.core.trace.wire import CloseReason
from tests.contract.dialects import abstract
from tests.contract.dialects.speaking import every_format, head_of, meaning, runnable, speaking
from tests.fakes.script import CUT, END, RESET, send, sleep

ANSWERS = (abstract.PARALLEL, abstract.THINKING_AND_TOOL, abstract.THINKING_AND_TEXT)


def is_beginning(found, whole):
    """Whether the blocks of a cut answer are the first blocks of the whole one, the last of them perhaps shorter."""
    *full, last = found or [()]
    if full != whole[: len(full)] and not all(block[0] == "call" for block in full if block not in whole):
        return False
    if not last:
        return True
    kind, text = last[0], last[1]
    return kind == "call" or (kind == whole[len(full)][0] and whole[len(full)][1].startswith(text))


def texts(blocks):
    return "".join(block[1] for block in blocks if block[0] in ("text", "thinking"))


@every_format
async def test_a_body_that_ends_between_two_frames_is_an_incomplete_answer(fake_server, writer):
    """A clean end: ``Connection: close`` without a length hides every cut (T17)."""
    async with speaking(fake_server, writer) as asked:
        for answer in ANSWERS:
            stream = writer.stream(answer)
            fake_server.script(head_of(writer), send(stream.body), END)
            whole = meaning(await asked.ask())
            seen = ""
            for count in range(1, stream.stop_at + 1):
                fake_server.script(head_of(writer, framing="close"), send(b"".join(stream.frames[:count])), END)
                response = await asked.ask()
                assert response.stop_reason is StopReason.INCOMPLETE and response.error is None
                assert runnable(response) == []
                assert is_beginning(meaning(response), whole)
                assert texts(meaning(response)).startswith(seen)
                seen = texts(meaning(response))
            assert seen == texts(whole), "everything before the end of the answer is kept"


@every_format
async def test_a_connection_cut_between_two_frames_is_an_error_that_keeps_what_came(fake_server, writer):
    async with speaking(fake_server, writer) as asked:
        for answer in ANSWERS:
            stream = writer.stream(answer)
            for count in range(1, stream.stop_at + 1):
                sent = b"".join(stream.frames[:count])
                fake_server.script(head_of(writer, framing="close"), send(sent), END)
                ended = await asked.ask()
                fake_server.script(head_of(writer), send(sent), CUT)
                cut = await asked.ask()
                assert cut.stop_reason is StopReason.ERROR
                assert cut.error.category is ErrorCategory.TRANSPORT and cut.error.is_retryable
                assert runnable(cut) == []
                assert texts(meaning(cut)) == texts(meaning(ended))


@every_format
async def test_a_cut_within_a_frame_is_a_cut_before_it(fake_server, writer):
    stream = writer.stream(abstract.PARALLEL)
    async with speaking(fake_server, writer) as asked:
        for count in range(1, stream.stop_at + 1):
            before, cut = b"".join(stream.frames[:count]), stream.frames[count]
            fake_server.script(head_of(writer, framing="close"), send(before), END)
            expected = await asked.ask()
            for size in (3, len(cut) // 2, len(cut.rstrip()) - 1):
                fake_server.script(head_of(writer, framing="close"), send(before + cut[:size]), END)
                response = await asked.ask()
                assert response.stop_reason is StopReason.INCOMPLETE and response.error is None
                assert meaning(response) == meaning(expected)
                assert response.usage == expected.usage


@every_format
async def test_a_frame_without_the_blank_line_behind_it_counts(fake_server, writer):
    """T06."""
    stream = writer.stream(abstract.TOOL)
    fake_server.script(head_of(writer, framing="close"), send(stream.body.rstrip()), END)
    async with speaking(fake_server, writer) as asked:
        response = await asked.ask()
    assert response.stop_reason is StopReason.TOOL_USE and len(runnable(response)) == 1


@every_format
@pytest.mark.parametrize("ending", [END, CUT, RESET], ids=["end", "cut", "reset"])
async def test_what_is_lost_behind_the_end_of_the_content_is_no_fault(fake_server, writer, ending):
    """T13: usage and markers may get lost, the answer is whole all the same."""
    stream = writer.stream(abstract.TOOL)
    sent = b"".join(stream.frames[: stream.stop_at + 1])
    fake_server.script(head_of(writer), send(sent), sleep(0.05), ending)
    async with speaking(fake_server, writer) as asked:
        response = await asked.ask()
    assert response.stop_reason is StopReason.TOOL_USE and response.error is None
    assert len(runnable(response)) == 1


@every_format
async def test_nothing_at_all_is_raised(fake_server, writer):
    async with speaking(fake_server, writer) as asked:
        fake_server.script(head_of(writer, framing="close"), END)
        with pytest.raises(ProtocolError, match="empty body"):
            await asked.ask()
        fake_server.script(head_of(writer), CUT)
        with pytest.raises(TransportError):
            await asked.ask()
        first = writer.stream(abstract.TEXT).frames[0]
        fake_server.script(head_of(writer), send(first[: len(first) // 2]), CUT)
        with pytest.raises(TransportError):
            await asked.ask()


@every_format
async def test_a_stall_in_the_middle_is_a_timeout_that_keeps_what_came(fake_server, writer):
    """T18."""
    stream = writer.stream(abstract.PARALLEL)
    fake_server.script(head_of(writer), send(b"".join(stream.frames[: stream.stop_at])), {"do": "hold"})
    async with speaking(fake_server, writer, idle_timeout_s=0.2) as asked:
        response = await asked.ask()
        fake_server.wait_for_disconnect()
    assert response.text() == "I look both up."
    assert response.error is not None and response.error.details["is_timeout"] is True
    assert runnable(response) == []
    assert asked.closed().reason is CloseReason.ERROR


@every_format
async def test_a_frame_that_is_no_json_is_an_error_that_shows_it(fake_server, writer):
    """T12, T25."""
    stream = writer.stream(abstract.TEXT)
    is_lines = writer.wire == "ollama"
    broken = b"{this is no JSON}\n" if is_lines else b"data: {this is no JSON}\n\n"
    async with speaking(fake_server, writer) as asked:
        fake_server.script(head_of(writer), *map(send, stream.frames[: stream.stop_at]), send(broken), END)
        response = await asked.ask()
        assert response.text() == "Hello ✓ wörld" and response.stop_reason is StopReason.ERROR
        assert response.error.category is ErrorCategory.PROTOCOL and "this is no JSON" in response.error.message
        fake_server.script(head_of(writer), send(broken), END)
        with pytest.raises(LlmError, match="this is no JSON") as caught:
            await asked.ask()
    assert caught.value.category is ErrorCategory.PROTOCOL
