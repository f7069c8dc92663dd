"""Histories: roles, results, calls of other models, media, and what may not leave."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agdesk.core.ir.blocks import (
    Audio,
    BlobRef,
    Extension,
    File,
    Image,
    ProviderData,
    ProviderFile,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
    Url,
)
from agdesk.core.ir.messages import Assistant, Origin, Tool, User, user
from tests.wire.gemini.streams import ORIGIN, answer, call, chunk, contents, own, rendered, text, thought

FOREIGN = Origin("openai", "gpt", "openai_chat")
MARK = "skip_thought_signature_validator"


def use(call_id="A", name="f", arguments=None, **members):
    return ToolUse(call_id, name, {} if arguments is None else arguments, "{}", **members)


def result(call_id="A", *content, is_error=False):
    return ToolResult(call_id, "f", content or (Text("ok"),), is_error)


def test_G17_roles_take_turns_and_results_stand_in_one_content():
    found = contents(
        user("Hi"),
        Assistant((Text("calling"), use("A", arguments={"x": 1}), use("B", "g")), ORIGIN),
        Tool((result("B"), result("A", Text("bad"), is_error=True))),
        user("and?"),
        user("well?"),
        Assistant((Text("a"),), ORIGIN),
        Assistant((Text("b"),), ORIGIN),
    )
    assert [content["role"] for content in found] == ["user", "model", "user", "model"]
    assert found[1]["parts"] == [text("calling"), call("f", {"x": 1}), call("g", {})]
    assert found[2]["parts"] == [
        {"functionResponse": {"name": "f", "response": {"error": "bad"}}},
        {"functionResponse": {"name": "g", "response": {"result": "ok"}}},
        text("and?"),
        text("well?"),
    ]
    assert found[3]["parts"] == [text("a"), text("b")]


def test_G17_a_history_that_begins_with_the_model_gets_a_user_in_front():
    request = rendered(Assistant((Text("Hello"),), ORIGIN), user("Hi"))
    assert [content["role"] for content in request.body["contents"]] == ["user", "model", "user"]
    assert request.ledger == ("a message '[start]' of the user was put in front: this format begins with one",)


def test_G02_the_id_of_a_call_goes_back_only_if_Google_gave_it():
    found = answer(chunk(call("f", {}, id="G"), call("g", {}), finish="STOP"))
    ids = [tool.id for tool in found.tools]
    _, model, results = contents(user("Hi"), own(found), Tool(tuple(result(call_id) for call_id in ids)))
    assert model["parts"] == [call("f", {}, id="G"), call("g", {})]
    assert [part["functionResponse"].get("id") for part in results["parts"]] == ["G", None]
    _, _, foreign = contents(user("Hi"), replace(own(found), origin=FOREIGN), Tool(tuple(map(result, ids))))
    assert [part["functionResponse"].get("id") for part in foreign["parts"]] == [None, None]


def test_G01_signatures_go_back_in_their_parts():
    parts = [thought("t", thoughtSignature="1"), text("a"), call("f", {"x": 1}, signature="2"), call("g", {})]
    found = answer(chunk(*parts, finish="STOP"))
    request = rendered(user("Hi"), own(found), Tool(tuple(result(tool.id) for tool in found.tools)))
    assert request.body["contents"][1]["parts"] == parts
    assert request.ledger == ()


def test_G01_the_first_foreign_call_of_each_message_of_the_running_turn_is_marked():
    foreign = Assistant((use("A"), use("B")), FOREIGN)
    results = Tool((result("A"), result("B")))
    request = rendered(user("old"), foreign, results, user("new"), foreign, results, foreign, results)
    models = [content["parts"] for content in request.body["contents"] if content["role"] == "model"]
    unmarked = [call("f", {}), call("f", {})]
    marked = [call("f", {}, signature=MARK), call("f", {})]
    assert models == [unmarked, marked, marked]
    assert request.ledger == ("message 5, 7: a call got a mark that skips Google's check of its signature",)


def test_G01_calls_of_the_same_model_need_no_mark_and_those_of_an_older_one_do():
    history = (user("Hi"), Assistant((use(),), ORIGIN), Tool((result(),)))
    assert contents(*history, model="g")[1]["parts"] == [call("f", {})]
    assert contents(*history, model="g-next")[1]["parts"] == [call("f", {}, signature=MARK)]


def test_K12_invalid_arguments_are_sent_as_an_object_that_says_so():
    broken = ToolUse("A", "", None, '{"x', "no JSON")
    request = rendered(user("Hi"), Assistant((broken,), ORIGIN))
    _, model, results = request.body["contents"]
    assert model["parts"] == [call("unnamed", {"INVALID_JSON": '{"x'})]
    assert results["parts"] == [{"functionResponse": {"name": "unnamed", "response": {"result": "[cancelled]"}}}]
    assert len(request.ledger) == 3


def test_what_is_foreign_does_not_leave_and_is_noted():
    data = ProviderData("openai_chat", {"secret": 1})
    message = Assistant(
        (
            Thinking("t", "SIG", data),
            Text("a", provider_data=data, citations=({"u": 1},)),
            use(provider_data=data),
            Extension("openai_chat", "audio", {"x": 1}),
            Extension("gemini", "toolCall", {"toolCall": {}}),
        ),
        FOREIGN,
    )
    request = rendered(user("Hi"), message, Tool((result(),)), user("next"))
    assert request.body["contents"][1]["parts"] == [text("a"), call("f", {})]
    assert [line.removeprefix("message 2: ") for line in request.ledger] == [
        "thinking was left out: it is not from this provider",
        "citations of a text were left out",
        "opaque data of a text was left out: it is not from this provider",
        "opaque data of a call was left out: it is not from this provider",
        "a block 'audio' of openai_chat has no place in this message and was left out",
        "a block 'toolCall' of gemini has no place in this message and was left out",
    ]


def test_a_thought_without_a_signature_is_not_sent_back():
    request = rendered(user("Hi"), Assistant((Thinking("t"), Text("a")), ORIGIN))
    assert request.body["contents"][1]["parts"] == [text("a")]
    assert "thinking without a signature" in request.ledger[0]


def test_A06_blank_texts_and_messages_of_nothing_are_left_out():
    request = rendered(user("Hi"), Assistant((Text(" "), Thinking("t")), FOREIGN), user("there"))
    assert request.body["contents"] == [{"role": "user", "parts": [text("Hi"), text("there")]}]
    assert "message 2: a message with nothing that can be sent was left out" in request.ledger


def test_a_text_that_was_changed_goes_back_as_one_part_with_its_signature():
    changed = Text("other", provider_data=ProviderData("gemini", text("end", thoughtSignature="S")))
    assert contents(user("Hi"), Assistant((changed,), ORIGIN))[1]["parts"] == [text("other", thoughtSignature="S")]


PNG, PDF = "data:image/png;base64,AAAA", "data:application/pdf,%25PDF"


@pytest.mark.parametrize(
    ("block", "part"),
    [
        (Image(Url(PNG), "image/png"), {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}),
        (File(Url(PDF), ""), {"inlineData": {"mimeType": "application/pdf", "data": "JVBERg=="}}),
        (Audio(Url("data:;base64,AAAA"), "audio/wav"), {"inlineData": {"mimeType": "audio/wav", "data": "AAAA"}}),
        (Image(Url("https://x/a.png"), "image/png"), {"fileData": {"mimeType": "image/png", "fileUri": "https://x/a.png"}}),
        (File(ProviderFile("gemini", "f1"), "text/x"), {"fileData": {"mimeType": "text/x", "fileUri": "f1"}}),
    ],
)  # fmt: skip
def test_G18_media_are_inline_or_have_an_address(block, part):
    request = rendered(User((Text("see"), block)))
    assert request.body["contents"][0]["parts"] == [text("see"), part]
    assert request.ledger == ()


@pytest.mark.parametrize(
    ("source", "reason"),
    [(BlobRef("0", 1), "its bytes are not at hand"), (ProviderFile("openai", "f"), "uploaded to another provider")],
)
def test_media_that_cannot_be_sent_are_noted(source, reason):
    request = rendered(User((Text("see"), Image(source, "image/png"))))
    assert request.body["contents"][0]["parts"] == [text("see")]
    assert reason in request.ledger[0]


def test_the_name_of_a_file_is_noted():
    assert rendered(User((File(Url(PDF), "application/pdf", "a.pdf"),))).ledger == (
        "message 1: the name of a file was left out",
    )


def test_images_of_results_follow_all_results():
    calls = Assistant((use("A"), use("B")), ORIGIN)
    shown = result("A", Text("see"), Image(Url(PNG), "image/png"), Extension("x", "y", {}))
    request = rendered(user("Hi"), calls, Tool((shown, result("B"))))
    kinds = [next(iter(part)) for part in request.body["contents"][2]["parts"]]
    assert kinds == ["functionResponse", "functionResponse", "inlineData"]
    assert len(request.ledger) == 2


def test_K12_a_signature_does_not_go_back_with_arguments_that_were_mended():
    signed = ProviderData("gemini", {"thoughtSignature": "SIG"})
    broken = ToolUse("A", "f", None, '{"x', "cut", signed)
    request = rendered(user("Hi"), Assistant((broken,), ORIGIN))
    assert request.body["contents"][1]["parts"] == [call("f", {"INVALID_JSON": '{"x'}, signature=MARK)]
    assert "message 2: the signature of a call was left out: the call is not sent as it was made" in request.ledger


def test_E12_a_signed_call_that_was_cut_when_it_was_whole_goes_back_as_it_came():
    cut = ToolUse("A", "f", None, '{"x": 1}', "cut", ProviderData("gemini", {"thoughtSignature": "SIG"}))
    request = rendered(user("Hi"), Assistant((cut,), ORIGIN))
    assert request.body["contents"][1]["parts"] == [call("f", {"x": 1}, signature="SIG")]
    assert request.ledger == ("message 2: a call without a result got the result [cancelled]",)


def test_images_of_types_that_Google_refuses_are_left_out():
    gif = Image(Url("data:image/gif;base64,QQ=="), "image/gif")
    request = rendered(User((Text("Look:"), gif)), user("b"))
    assert request.body["contents"][0]["parts"] == [text("Look:"), text("b")]
    assert request.ledger == (
        "message 1: an image of type image/gif was left out: this format takes PNG, JPEG, WebP, HEIC and HEIF",
    )
    only = rendered(User((gif,)))
    assert only.body["contents"][0]["parts"] == [text("[left out]")]


def test_K15_names_keep_the_characters_that_Google_takes():
    foreign = ToolUse("A", "a.b:c d", {}, "{}")
    request = rendered(user("Hi"), Assistant((foreign,), FOREIGN), Tool((result(),)), user("b"))
    _, model, results = request.body["contents"]
    assert model["parts"][0]["functionCall"]["name"] == "a.b:c_d"
    assert results["parts"][0]["functionResponse"]["name"] == "a.b:c_d"


def test_a_call_in_a_message_of_the_user_is_left_out():
    request = rendered(User((Text("Hi"), use())))
    assert request.body["contents"] == [{"role": "user", "parts": [text("Hi")]}]
    assert request.ledger == ("message 1: a block ToolUse has no place in this message and was left out",)
