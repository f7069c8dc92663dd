"""The JSON of an answer, as documented for the command line."""

from agdesk.core.errors import ErrorCategory, ErrorRecord
from agdesk.core.ir.blocks import BlobRef, Extension, Image, Text, Thinking, ToolUse
from agdesk.core.ir.messages import Assistant
from agdesk.core.ir.response import (
    CompletionTokensDetails,
    MessageResponse,
    PromptTokensDetails,
    StopReason,
    Usage,
)
from agdesk.core.providers.answer import answer_document


def test_an_answer_has_every_key_and_unknown_is_null():
    response = MessageResponse("i", "m", Assistant(()), Usage(), StopReason.END_TURN)
    assert answer_document(response) == {
        "message": {"role": "assistant", "content": []},
        "usage": {
            "prompt_tokens": None,
            "completion_tokens": None,
            "total_tokens": None,
            "prompt_tokens_details": {"cached_tokens": None, "cache_write_tokens": None},
            "completion_tokens_details": {"reasoning_tokens": None},
        },
        "stop_reason": "end_turn",
        "raw_stop_reason": None,
        "error": None,
        "incomplete": False,
        "ignored_fields": 0,
        "id": "i",
        "model": "m",
    }


def test_every_kind_of_block_has_its_documented_form():
    content = (
        Thinking("hm", "SIG"),
        Text("hello"),
        Text("no", is_refusal=True),
        ToolUse("c1", "f", {"a": 1}, '{"a": 1}'),
        ToolUse("c2", "g", None, '{"a"', "cut"),
        Image(BlobRef("ab", 3), "image/png"),
        Extension("anthropic", "redacted_thinking", {"data": "x"}),
    )
    response = MessageResponse("i", "m", Assistant(content), Usage(), StopReason.TOOL_USE)
    assert answer_document(response)["message"]["content"] == [
        {"type": "thinking", "text": "hm", "signature": "SIG"},
        {"type": "text", "text": "hello"},
        {"type": "text", "text": "no", "is_refusal": True},
        {
            "type": "tool_use",
            "id": "c1",
            "name": "f",
            "input": {"a": 1},
            "raw_arguments": '{"a": 1}',
            "input_error": None,
        },
        {"type": "tool_use", "id": "c2", "name": "g", "input": None, "raw_arguments": '{"a"', "input_error": "cut"},
        {
            "type": "image",
            "source": {"type": "blob_ref", "sha256": "ab", "size_bytes": 3},
            "media_type": "image/png",
            "name": None,
        },
        {"type": "extension", "provider": "anthropic", "raw": {"data": "x"}},
    ]


def test_a_failed_answer_keeps_what_came_before_the_error():
    error = ErrorRecord("protocol_error", "bad", category=ErrorCategory.PROTOCOL)
    usage = Usage(5, 2, 7, PromptTokensDetails(3, 1), CompletionTokensDetails(1))
    response = MessageResponse("i", "m", Assistant((Text("par"),)), usage, StopReason.ERROR, "stop", error)
    document = answer_document(response, ignored_fields=4)
    assert document["message"]["content"] == [{"type": "text", "text": "par"}]
    assert document["usage"] == {
        "prompt_tokens": 5,
        "completion_tokens": 2,
        "total_tokens": 7,
        "prompt_tokens_details": {"cached_tokens": 3, "cache_write_tokens": 1},
        "completion_tokens_details": {"reasoning_tokens": 1},
    }
    assert document["error"]["kind"] == "protocol_error"
    assert (document["incomplete"], document["ignored_fields"]) == (True, 4)
    assert (document["stop_reason"], document["raw_stop_reason"]) == ("error", "stop")
