"""What is sent of a history (P07, P08, P09, P12, P13, P16, K12, K17, K18, K20)."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from agdesk.core.ir.blocks import Extension, File, Image, ProviderData, Text, Thinking, ToolResult, ToolUse, Url
from agdesk.core.ir.messages import Assistant, Origin, Tool, User, user
from agdesk.core.ir.partial import PartialMessageResponse
from agdesk.core.providers.base import Dialect, ReasoningReplay
from tests.wire.openai_responses.streams import ENDPOINT, answer, done, event, spoken, text
from tests.wire.openai_responses.test_render import rendered

OWN = Origin("acme", "m1", "openai_responses")
OTHERS = [None, Origin("other", "m1", "openai_responses"), Origin("acme", "m1", "anthropic")]
PNG = "data:image/png;base64,QQ=="


def own(**members):
    return ProviderData("openai_responses", members)


def sent(*content, origin=OWN, after=()):
    """The items of one answer between two messages of the user, and the ledger."""
    body, ledger = rendered(user("Hello"), Assistant(tuple(content), origin), *after, user("Go on"))
    items = body["input"]
    assert (items[0]["role"], items[-1]["role"]) == ("user", "user")
    return items[1:-1], [line.removeprefix("message 2: ") for line in ledger]


def message(*content, **members):
    return {"type": "message", "role": "assistant", "status": "completed", "content": list(content), **members}


def part(words, **members):
    return {"type": "output_text", "text": words, "annotations": []} | members


def thought(**members):
    return Thinking("Hm", provider_data=own(type="reasoning", id="rs", **members))


def use(call_id="c", arguments='{"a": 1}', **members):
    return ToolUse(call_id, "f", json.loads(arguments), arguments, **members)


def result(call_id="c", words="ok", **members):
    return ToolResult(call_id, "f", (Text(words),), **members)


CALL = {"type": "function_call", "call_id": "c", "name": "f", "arguments": '{"a": 1}'}
OUTPUT = {"type": "function_call_output", "call_id": "c", "output": "ok"}


def test_what_came_goes_back_item_by_item():
    search = {"id": "w", "status": "completed", "action": {"type": "search"}}
    cited = {"type": "url_citation", "url": "u"}
    reasoning = {"id": "rs", "summary": [], "encrypted_content": "E", "format": "f", "content": None}
    found = answer(
        done(0, "reasoning", **reasoning),
        done(1, "web_search_call", **search),
        done(
            2,
            "message",
            id="x",
            phase="commentary",
            content=[spoken("a", annotations=[cited]), {"type": "new", "b": 1}],
        ),
        done(3, "message", id="y", phase="final_answer", content=[spoken("c")]),
        done(4, "reasoning", **reasoning | {"id": "rt"}),
        done(5, "function_call", id="fc", **CALL, namespace="n"),
    )
    partial = PartialMessageResponse()
    for each in found.events:
        partial.apply(each)
    items, ledger = sent(*partial.finalize().message.content, after=[Tool((result(),))])
    encrypted = {"type": "reasoning", "summary": [], "encrypted_content": "E", "format": "f"}
    assert items == [
        encrypted,
        {"type": "web_search_call", **search},
        message(part("a", annotations=[cited]), {"type": "new", "b": 1}, phase="commentary"),
        message(part("c"), phase="final_answer"),
        encrypted,
        {**CALL, "namespace": "n"},
        OUTPUT,
    ]
    assert ledger == []


def test_P16_parts_of_one_message_stay_together_and_messages_apart():
    one, two = Text("a", provider_data=own(id="x")), Text("b", provider_data=own(id="x"))
    items, _ = sent(one, two, Text("c"), Text("d"))
    assert items == [message(part("a"), part("b")), message(part("c")), message(part("d"))]


def test_C16_a_refusal_goes_back_as_one_and_is_a_text_for_others():
    refusal = Text("no", is_refusal=True)
    assert sent(refusal)[0] == [message({"type": "refusal", "refusal": "no"})]
    assert sent(refusal, origin=None)[0] == [message(part("no"))]


def test_A06_blank_texts_are_not_sent():
    assert sent(Text(" "), Text("a"))[0] == [message(part("a"))]
    assert sent(Text(""))[0] == []


def test_P08_thinking_goes_back_only_with_its_encrypted_content_and_without_its_id():
    with_content = thought(encrypted_content="E", summary=[{"type": "summary_text", "text": "Hm"}], status="completed")
    items, ledger = sent(with_content, Text("a"))
    summary = [{"type": "summary_text", "text": "Hm"}]
    assert items == [{"type": "reasoning", "encrypted_content": "E", "summary": summary}, message(part("a"))]
    assert ledger == []
    cut = thought(encrypted_content="half", status="in_progress")
    for block in (cut, thought(summary=[]), thought(encrypted_content=None), Thinking("Hm"), Thinking("")):
        items, ledger = sent(block, Text("a"))
        assert items == [message(part("a"))]
        assert ledger == ["thinking was left out: it cannot be sent back here"]


@pytest.mark.parametrize(
    ("replay", "kept"), [("never", [False, False]), ("tool_turns", [True, False]), ("always", [True] * 2)]
)
def test_R03_thinking_that_is_not_encrypted_goes_back_where_the_row_says_so(replay, kept):
    row = replace(ENDPOINT, dialect=Dialect(reasoning_replay=ReasoningReplay(replay)))
    with_call = [Assistant((Thinking("Hm"), use()), OWN), Tool((result(),)), Assistant((Text("a"),), OWN)]
    without = [user("And?"), Assistant((Thinking("So"), Text("b")), OWN)]
    body, ledger = rendered(user("Hello"), *with_call, *without, at=row)
    sent_back = [item["content"][0]["text"] for item in body["input"] if item.get("type") == "reasoning"]
    assert sent_back == [words for words, is_kept in zip(["Hm", "So"], kept, strict=True) if is_kept]
    assert bool(ledger) is not all(kept)
    foreign = Assistant((Thinking("Hm"), Text("a")), OTHERS[1])
    assert "reasoning" not in [item.get("type") for item in rendered(user("Hello"), foreign, at=row)[0]["input"]]


def test_P07_thinking_without_a_follower_is_left_out():
    late = thought(encrypted_content="E")
    items, ledger = sent(Text("a"), late, late)
    assert items == [message(part("a"))]
    assert ledger == ["thinking at the end of an answer was left out: it must be followed by something"]
    foreign = Extension("gemini", "x", {})
    assert sent(late, foreign)[0] == []
    items, ledger = sent(late, use(), after=[Tool((result(),))])
    assert [item["type"] for item in items] == ["reasoning", "function_call", "function_call_output"]
    assert ledger == []


@pytest.mark.parametrize("origin", OTHERS)
def test_PROV7_opaque_data_of_others_does_not_leave(origin):
    content = [
        Thinking("Hm", "signature", own(encrypted_content="E")),
        Text("a", citations=({"url": "u"},), provider_data=own(phase="x", id="y")),
        Text("b"),
        Extension("openai_responses", "web_search_call", {"type": "web_search_call"}),
        use(provider_data=own(namespace="n", type="custom")),
    ]
    items, ledger = sent(*content, origin=origin, after=[Tool((result(),))])
    assert items == [message(part("a"), part("b")), CALL, OUTPUT]
    assert ledger == [
        "thinking was left out: it cannot be sent back here",
        "opaque data of a text was left out: it is not from this provider",
        "citations of a text were left out",
        "a block 'web_search_call' of openai_responses was left out: it is not from this provider",
        "opaque data of a call was left out: it is not from this provider",
    ]


def test_a_history_of_another_format_is_text_and_calls():
    content = [
        Thinking("Hm", "S", ProviderData("anthropic", {"x": 1})),
        Extension("anthropic", "redacted_thinking", {"data": "D"}),
        Text("a", provider_data=ProviderData("anthropic", {"x": 1})),
        Image(Url(PNG), "image/png"),
    ]
    items, ledger = sent(*content, origin=Origin("anthropic", "c", "anthropic"))
    assert items == [message(part("a"))]
    assert len(ledger) == 4


def test_P13_a_server_side_call_that_was_cut_is_not_sent():
    cut = Extension("openai_responses", "web_search_call", {"type": "web_search_call", "status": "in_progress"})
    items, ledger = sent(Text("a"), cut, Extension("openai_responses", "x", {"a": 1}))
    assert items == [message(part("a")), {"type": "x", "a": 1}]
    assert ledger == ["a block 'web_search_call' was left out: it was not finished"]


def test_P09_K20_every_call_is_followed_by_its_result():
    items, ledger = sent(use(), use("d"), Text("a"), after=[Tool((result("d", "two"),))])
    assert [item.get("call_id") for item in items] == ["c", "d", None, "c", "d"]
    assert [item["output"] for item in items[3:]] == ["[cancelled]", "two"]
    assert ledger == ["a call without a result got the result [cancelled]"]


def test_K12_arguments_that_are_no_object_are_said_as_such():
    items, ledger = sent(ToolUse("c", "f", None, '{"a"', "cut"), after=[Tool((result(),))])
    assert items[0]["arguments"] == '{"INVALID_JSON": "{\\"a\\""}'
    assert len(ledger) == 1


def test_K13_no_arguments_are_sent_as_an_empty_object():
    assert sent(ToolUse("c", "f", {}, ""), after=[Tool((result(),))])[0][0]["arguments"] == "{}"


def test_K17_K18_ids_are_short_plain_and_never_twice_in_one_request():
    first = [Assistant((use("call_0"), use("x" * 70), use("a|b")), OWN), Tool((result("call_0"), result("x" * 70)))]
    body, ledger = rendered(user("Hello"), *first, Assistant((use("call_0"),), OWN), Tool((result("call_0"),)))
    calls = [item["call_id"] for item in body["input"] if item.get("type") == "function_call"]
    outputs = [item["call_id"] for item in body["input"] if item.get("type") == "function_call_output"]
    assert calls == outputs
    assert len(set(calls)) == 4
    assert calls[0] == "call_0"
    assert all(len(call_id) <= 64 and call_id.replace("_", "").isalnum() for call_id in calls)
    assert any("the id of a call was changed" in line for line in ledger)


def test_P12_a_custom_call_and_its_result_go_back_as_such():
    call = ToolUse("c", "patch", {"input": "x"}, '{"input": "x"}', provider_data=own(type="custom", caller={"a": 1}))
    items, ledger = sent(call, after=[Tool((result(),))])
    assert items == [
        {"type": "custom_tool_call", "call_id": "c", "name": "patch", "input": "x", "caller": {"a": 1}},
        {"type": "custom_tool_call_output", "call_id": "c", "output": "ok"},
    ]
    assert ledger == []
    cut = ToolUse("c", "patch", None, '{"input": "x', "cut", own(type="custom"))
    items, ledger = sent(cut, after=[Tool((result(),))])
    assert [item["type"] for item in items] == ["function_call", "function_call_output"]
    assert "a call of a custom tool is sent as one of a function" in ledger


def test_results_hold_texts_images_and_files():
    content = (Text("one"), Image(Url(PNG), "image/png"), Text("two"), File(Url("https://example.com/a"), "text/plain"))
    items, _ = sent(use(), after=[Tool((ToolResult("c", "f", content),))])
    assert [piece["type"] for piece in items[1]["output"]] == ["input_text", "input_image", "input_file"]
    assert items[1]["output"][0]["text"] == "one\n\ntwo"


def test_a_failed_result_says_so():
    items, ledger = sent(use(), after=[Tool((result(words="no file", is_error=True),))])
    assert items[1]["output"] == "Error: no file"
    assert ledger == ["that a tool failed is said as 'Error: ' before its result"]


def test_an_answer_without_anything_to_send_leaves_no_item():
    assert sent(Extension("other", "x", {}))[0] == []
    assert rendered(User((Text(" "),)), user("Hello"))[0]["input"][0]["content"][0]["text"] == "Hello"


def test_text_after_text_of_a_stream_keeps_its_phase():
    stream = answer(
        event("output_item.added", output_index=0, item={"type": "message", "phase": "commentary"}), text("a")
    )
    items, _ = sent(*stream.response.message.content)
    assert items == [message(part("a"), phase="commentary")]


def test_what_no_provider_of_this_format_takes_is_mended_and_told():
    """K15, A07: names that models make up, images of other types, messages that this leaves nothing of."""
    bmp = Image(Url("data:image/bmp;base64,QQ=="), "image/bmp")
    call = ToolUse("A", "functions.f", {}, "{}")
    body, ledger = rendered(User((Text("q"),)), Assistant((call,)), Tool((ToolResult("A", "f", ()),)), User((bmp,)))
    assert body["input"][1]["name"] == "functions_f"
    assert body["input"][-1] == {"role": "user", "content": [{"type": "input_text", "text": "[left out]"}]}
    assert ledger == (
        "message 2: the name of a call was changed to one that this provider takes",
        "message 4: an image of type image/bmp was left out: this format takes JPEG, PNG, GIF and WebP",
        "message 4: '[left out]' stands for a message of which nothing could be sent",
    )
