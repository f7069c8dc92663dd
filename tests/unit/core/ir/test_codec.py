"""The JSON form of values: stable, named, and strict about what it is told to read (D1)."""

import json
from types import MappingProxyType

import pytest

from agdesk.core.errors import ErrorCategory, ErrorRecord, ProtocolError
from agdesk.core.ir.blocks import BlobRef, ContentBlock, Extension, Image, Text, ToolResult, ToolUse, Url
from agdesk.core.ir.codec import from_json, tag_of, to_json
from agdesk.core.ir.messages import Assistant, Message, User
from agdesk.core.ir.request import Auto, MessageRequest, None_, ToolChoice
from agdesk.core.ir.response import MessageResponse, StopReason, Usage
from agdesk.core.ir.stream import ContentBlockStart, StreamEvent, TextDelta, ToolUseType
from agdesk.core.trace.wire import RequestSent


def test_the_tag_is_the_class_name_in_snake_case():
    assert tag_of(TextDelta) == "text_delta"
    assert tag_of(None_) == "none"


def test_a_value_becomes_an_object_with_its_tag_first_and_every_field():
    document = to_json(ContentBlockStart(2, ToolUseType("call_1", "write")))

    assert document == {
        "type": "content_block_start",
        "index": 2,
        "block_type": {"type": "tool_use_type", "id": "call_1", "name": "write"},
    }
    assert next(iter(document)) == "type"
    assert to_json(TextDelta("a")) == {"type": "text_delta", "text": "a", "index": None}


def test_a_result_inside_a_message_is_written_to_the_leaves():
    result = ToolResult("call_1", "look", (Text("seen"), Image(BlobRef("ab", 3), "image/png")), is_error=True)
    document = json.loads(json.dumps(to_json(Assistant((result,)))))

    assert document["content"][0]["content"][1]["source"] == {"type": "blob_ref", "sha256": "ab", "size_bytes": 3}
    assert from_json(Message, document) == Assistant((result,))


def test_enums_are_written_as_their_value():
    error = ErrorRecord("transport_error", "cut", category=ErrorCategory.TRANSPORT)
    response = MessageResponse("i", "m", Assistant(()), Usage(), StopReason.ERROR, error=error)
    document = to_json(response)

    assert type(document["stop_reason"]) is str
    assert document["error"]["category"] == "transport"
    assert from_json(MessageResponse, json.loads(json.dumps(document))) == response


def test_any_mapping_of_foreign_json_can_be_written():
    document = to_json(MessageRequest("m", (), extra=MappingProxyType({"a": [1, {"b": None}]})))

    assert json.loads(json.dumps(document))["extra"] == {"a": [1, {"b": None}]}


def test_foreign_json_keeps_its_own_type_field():
    raw = {"type": "text_delta", "nested": {"type": 7}}

    assert to_json(Extension("p", "k", raw))["raw"] == raw
    assert from_json(ContentBlock, to_json(Extension("p", "k", raw))) == Extension("p", "k", raw)


def test_half_a_character_in_foreign_json_can_be_written_and_read():
    block = Extension("p", "k", {"\udc00": ["\ud83d"]})

    assert from_json(ContentBlock, json.loads(json.dumps(to_json(block)))) == block


def test_a_missing_field_takes_its_default_and_an_unknown_one_is_ignored():
    assert from_json(ContentBlock, {"type": "text", "text": "a", "from_the_future": 1}) == Text("a")
    assert from_json(MessageRequest, {"model": "m", "messages": []}) == MessageRequest("m", (), tool_choice=Auto())


def test_a_value_may_be_read_without_a_tag_where_only_one_kind_can_stand():
    assert from_json(Usage, {"prompt_tokens": 2}) == Usage(2)


def test_a_whole_number_may_stand_for_a_fraction():
    assert from_json(Usage, {"cost_usd": 2}) == Usage(cost_usd=2.0)


@pytest.mark.parametrize(
    ("kind", "document", "place"),
    [
        (StreamEvent, {"type": "text_delta"}, "$.text"),
        (StreamEvent, {"type": "text_delta", "text": 5}, "$.text"),
        (StreamEvent, {"type": "text_delta", "text": "a", "index": True}, "$.index"),
        (StreamEvent, {"type": "text_delta", "text": "a", "index": 1.0}, "$.index"),
        (StreamEvent, {"type": ["text_delta"]}, "$"),
        (StreamEvent, {"text": "a"}, "$"),
        (StreamEvent, None, "$"),
        (StreamEvent, {"type": "message_complete", "stop_reason": "bored"}, "$.stop_reason"),
        (StreamEvent, {"type": "message_complete", "stop_reason": ["end_turn"]}, "$.stop_reason"),
        (StreamEvent, {"type": "content_block_start", "index": 0, "block_type": {"type": "text"}}, "$.block_type"),
        (TextDelta, {"type": "thinking_delta", "text": "a"}, "$"),
        (ToolChoice, "auto", "$"),
        (Message, {"type": "user", "content": "plain"}, "$.content"),
        (Message, {"type": "user", "content": [{"type": "text", "text": "a"}, {"type": "text"}]}, "$.content[1].text"),
        (ContentBlock, {"type": "extension", "provider": "p", "kind": "k"}, "$.raw"),
        (ToolUse, {"id": "i", "name": "n", "input": [], "raw_arguments": ""}, "$.input"),
        (RequestSent, {"method": "GET", "url": "u", "headers": [["a"]], "body_blob": None}, "$.headers[0]"),
        (Usage, {"cost_usd": "1"}, "$.cost_usd"),
    ],
)
def test_a_document_of_another_kind_is_refused_and_the_place_is_named(kind, document, place):
    with pytest.raises(ProtocolError) as caught:
        from_json(kind, document)

    assert caught.value.message.startswith(f"{place} is not ")
    assert caught.value.category is ErrorCategory.PROTOCOL


def test_a_document_nested_without_end_is_refused():
    document: dict[str, object] = {"type": "text", "text": "deep"}
    for _ in range(2000):
        document = {"type": "tool_result", "tool_use_id": "i", "name": "n", "content": [document]}

    with pytest.raises(ProtocolError):
        from_json(ContentBlock, document)


def test_what_the_refusal_quotes_is_short():
    with pytest.raises(ProtocolError) as caught:
        from_json(Usage, "x" * 100_000)

    assert len(caught.value.frame) < 200


def test_a_source_is_read_by_its_tag():
    image = Image(Url("https://example.com/a.png"), "image/png", name="a.png")

    assert from_json(ContentBlock, to_json(image)) == image


def test_an_array_of_pairs_is_read_as_pairs():
    sent = RequestSent("POST", "http://127.0.0.1/v1", (("Accept", "text/event-stream"), ("X", "1")), None)

    assert from_json(RequestSent, json.loads(json.dumps(to_json(sent)))) == sent


def test_a_user_message_reads_back_equal():
    message = User((Text("巴黎 ☕", citations=({"url": "u"},)),))

    assert from_json(Message, json.loads(json.dumps(to_json(message)))) == message
