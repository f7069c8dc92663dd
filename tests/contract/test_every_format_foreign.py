"""A server that speaks another format than its row says, or none: an error, never an empty answer (P17)."""

import pytest

from agdesk.core.errors import LlmError
from tests.contract.dialects import abstract
from tests.contract.dialects.speaking import every_format, head_of, speaking
from tests.contract.dialects.writers import WRITERS
from tests.fakes.script import END, JSON, head, send

# what stands in the words of every format for the name of another
NAMES = {
    "openai_chat": "Chat Completions",
    "openai_responses": "Responses",
    "anthropic": "Anthropic",
    "gemini": "Gemini",
}
NOT_AN_ANSWER = (b"{}", b'{"object": "list", "data": []}', b'{"models": []}', b"null", b'"hello"', b"hello")


@pytest.mark.parametrize(
    ("writer", "other"),
    [
        pytest.param(writer, other, id=f"{wire} reads {name}")
        for wire, writer in WRITERS.items()
        for name, other in WRITERS.items()
        if name != wire
    ],
)
async def test_a_stream_of_another_format_is_an_error(fake_server, writer, other):
    async with speaking(fake_server, writer) as asked:
        fake_server.script(head_of(other), send(other.stream(abstract.TEXT).body), END)
        with pytest.raises(LlmError) as caught:
            await asked.ask()
        # lines of JSON are no server-sent events: there it is told that the answer is not in the format
        assert NAMES.get(other.wire, "not valid JSON") in caught.value.message and caught.value.hint
        fake_server.script(head(200, JSON), send(other.document(abstract.TEXT)), END)
        with pytest.raises(LlmError):
            await asked.ask()


@every_format
async def test_json_that_is_no_answer_is_an_error(fake_server, writer):
    """C02, P18."""
    async with speaking(fake_server, writer) as asked:
        for body in NOT_AN_ANSWER:
            fake_server.script(head(200, JSON), send(body), END)
            with pytest.raises(LlmError) as caught:
                await asked.ask()
            assert caught.value.message and caught.value.hint


@every_format
@pytest.mark.parametrize("body", [b"[]", b"[{}]", b"[[]]"])
async def test_an_array_without_an_answer_is_an_error(fake_server, writer, body):
    fake_server.script(head(200, JSON), send(body), END)
    async with speaking(fake_server, writer) as asked:
        with pytest.raises(LlmError) as caught:
            await asked.ask()
        assert caught.value.hint


@every_format
async def test_T14_the_marker_alone_ends_no_answer(fake_server, writer):
    async with speaking(fake_server, writer) as asked:
        fake_server.script(head_of(writer), send(b"data: [DONE]\n\n"), END)
        response = await asked.ask()
    assert response.is_incomplete and response.message.content == ()
