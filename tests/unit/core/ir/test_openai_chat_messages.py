"""Messages of the IR to OpenAI's and back, one by one (SEED6)."""

from __future__ import annotations

import json

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
from agdesk.core.ir.messages import Assistant, Origin, System, Tool, User, system, user
from agdesk.core.ir.openai_chat import from_openai_messages, messages_openai, to_openai_messages

PNG = "data:image/png;base64,AA=="
CALL = ToolUse("A", "f", {"a": 1}, '{"a": 1}')
CALL_JSON = {"id": "A", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
DETAILS = [{"type": "reasoning.text", "text": "hm", "signature": "S", "index": 0}]

AUDIO = Extension("openai_chat", "audio", {"data": ["QQ=="]})
PAIRS = [
    (system("Be brief."), {"role": "system", "content": "Be brief."}),
    (user("Hello"), {"role": "user", "content": "Hello"}),
    (User(()), {"role": "user", "content": []}),
    (
        User((Text("a"), Text("b"))),
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
    ),
    (
        User((Image(Url(PNG), "image/png"),)),
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": PNG}}]},
    ),
    (
        User((Image(Url("https://x/i"), "image/*"),)),
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://x/i"}}]},
    ),
    (
        User((Audio(Url("data:audio/wav;base64,QQ=="), "audio/wav"),)),
        {"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "QQ==", "format": "wav"}}]},
    ),
    (
        User((File(Url("data:application/pdf;base64,QQ=="), "application/pdf", "a.pdf"),)),
        {
            "role": "user",
            "content": [
                {"type": "file", "file": {"file_data": "data:application/pdf;base64,QQ==", "filename": "a.pdf"}}
            ],
        },
    ),
    (
        User((File(ProviderFile("openai", "file-1"), "application/octet-stream"),)),
        {"role": "user", "content": [{"type": "file", "file": {"file_id": "file-1"}}]},
    ),
    (
        User((Extension("openai_chat", "content_part", {"type": "video_url", "video_url": {"url": "u"}}),)),
        {"role": "user", "content": [{"type": "video_url", "video_url": {"url": "u"}}]},
    ),
    (Assistant(()), {"role": "assistant", "content": None}),
    (Assistant((Text("Hi"),)), {"role": "assistant", "content": "Hi"}),
    (
        Assistant((Text("No.", is_refusal=True),)),
        {"role": "assistant", "content": None, "refusal": "No."},
    ),
    (
        Assistant((Text("Well."), Text("No.", is_refusal=True))),
        {"role": "assistant", "content": "Well.", "refusal": "No."},
    ),
    (
        Assistant((Text("a"), Extension("openai_chat", "content_part", {"type": "reference"}), Text("b"))),
        {
            "role": "assistant",
            "content": [{"type": "text", "text": "a"}, {"type": "reference"}, {"type": "text", "text": "b"}],
        },
    ),
    (
        Assistant((Text("No.", is_refusal=True), Text("But"))),
        {"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}, {"type": "text", "text": "But"}]},
    ),
    (Assistant((CALL,)), {"role": "assistant", "content": None, "tool_calls": [CALL_JSON]}),
    (
        Assistant((Thinking("hm"), Text("Hi"), CALL)),
        {"role": "assistant", "content": "Hi", "reasoning_content": "hm", "tool_calls": [CALL_JSON]},
    ),
    (
        Assistant((Thinking("hm", "S", ProviderData("openai_chat", {"reasoning_details": DETAILS})), Text("Hi"))),
        {"role": "assistant", "content": "Hi", "reasoning_details": DETAILS},
    ),
    (Assistant((AUDIO,)), {"role": "assistant", "content": None, "audio": {"data": ["QQ=="]}}),
    (
        Assistant((Text("Hi"), Extension("openai_chat", "annotations", [{"type": "url_citation"}]))),
        {"role": "assistant", "content": "Hi", "annotations": [{"type": "url_citation"}]},
    ),
]


@pytest.mark.parametrize(("message", "document"), PAIRS)
def test_what_both_can_say_goes_there_and_back(message, document):
    assert to_openai_messages([message]) == ([document], ())
    assert from_openai_messages([document]) == ((message,), ())


def test_a_round_of_calls_and_results_goes_there_and_back():
    messages = (
        Assistant((CALL, ToolUse("B", "g", {}, "{}"))),
        Tool((ToolResult("A", "f", (Text("1"),)), ToolResult("B", "g", (Text("2"), Text("3"))))),
    )
    documents, ledger = to_openai_messages(messages)
    assert ledger == ()
    assert documents[1:] == [
        {"role": "tool", "tool_call_id": "A", "content": "1"},
        {"role": "tool", "tool_call_id": "B", "content": [{"type": "text", "text": t} for t in "23"]},
    ]
    assert from_openai_messages(documents) == (messages, ())


def test_messages_openai_gives_the_messages_alone():
    assert messages_openai([user("a"), system("b")]) == [
        {"role": "user", "content": "a"},
        {"role": "system", "content": "b"},
    ]


def test_the_system_role_may_be_developer():
    documents, _ = to_openai_messages([system("x")], system_role="developer")
    assert documents[0]["role"] == "developer"
    back, ledger = from_openai_messages(documents)
    assert back == (system("x"),)
    assert ledger == ("message 1: the role developer is read as system",)


def test_a_custom_call_goes_there_and_back():
    call = ToolUse("A", "sql", {"input": "é"}, '{"input": "é"}', None, ProviderData("openai_chat", {"type": "custom"}))
    documents, ledger = to_openai_messages([Assistant((call,))])
    assert documents[0]["tool_calls"] == [{"id": "A", "type": "custom", "custom": {"name": "sql", "input": "é"}}]
    assert ledger == ()
    assert from_openai_messages(documents)[0] == (Assistant((call,)),)


def test_what_else_a_call_holds_stays_with_it():
    signature = {"google": {"thought_signature": "S"}}
    documents = [{"role": "assistant", "content": None, "tool_calls": [{**CALL_JSON, "extra_content": signature}]}]
    messages, ledger = from_openai_messages(documents)
    assert (to_openai_messages(messages)[0], ledger) == (documents, ())


def test_arguments_that_were_changed_are_sent_as_they_are_now():
    documents, ledger = to_openai_messages([Assistant((ToolUse("A", "f", {"a": 2}, '{"a": 1}'),))])
    assert json.loads(documents[0]["tool_calls"][0]["function"]["arguments"]) == {"a": 2}
    assert len(ledger) == 1


LOSSES = [
    (System((Text("a"), Image(Url(PNG), "image/png"))), "not text in a system message"),
    (Assistant((Text("a"),), Origin("p", "m", "w")), "who wrote"),
    (Assistant((Text("a", citations=({"u": 1},)),)), "citations"),
    (User((Text("a", provider_data=ProviderData("gemini", {})),)), "opaque data of a text"),
    (User((Text("a", is_refusal=True),)), "refusal"),
    (User((Image(BlobRef("0", 1), "image/png"),)), "bytes are not at hand"),
    (User((Image(Url(PNG), "image/png", "pixel.png"),)), "name of an image"),
    (User((Image(Url("https://x/i"), "image/png"),)), "media type of an image"),
    (User((Image(ProviderFile("gemini", "f"), "image/png"),)), "cannot say where"),
    (User((Audio(Url("data:audio/ogg;base64,QQ=="), "audio/ogg"),)), "cannot say where"),
    (User((File(Url("https://x/a.pdf"), "application/pdf"),)), "cannot say where"),
    (User((Extension("anthropic", "document", {}),)), "'document' of anthropic"),
    (Assistant((Extension("anthropic", "annotations", [1]),)), "'annotations' of anthropic"),
    (Assistant((Extension("openai_chat", "content", "x"),)), "'content' of openai_chat"),
    (User((Thinking("a"),)), "Thinking"),
    (Assistant((Image(Url(PNG), "image/png"),)), "an image"),
    (Assistant((Extension("openai_chat", "citations", ["u"]),)), "citations"),
    (Assistant((Extension("openai_chat", "audio", {"id": "a", "data": ["QQ=="]}),)), "only the id"),
    (
        Assistant((Extension("openai_chat", "annotations", [1]), Extension("openai_chat", "annotations", [2]))),
        "several",
    ),
    (Assistant((Text("a"), Thinking("b"))), "order"),
    (Assistant((CALL, Text("b"))), "order"),
    (Assistant((Thinking("a"), Thinking("b"))), "several pieces of thinking"),
    (Assistant((Thinking("a", "SIG"),)), "signature"),
    (Assistant((Thinking(""), Text("a"))), "empty piece of thinking"),
    (Assistant((Thinking("a", None, ProviderData("anthropic", {"x": 1})),)), "opaque data of thinking"),
    (Assistant((ToolUse("A", "f", None, '{"a": 1}', "cut"),)), "must not run"),
    (Assistant((ToolUse("A", "f", {}, "{}", None, ProviderData("gemini", {"s": 1})),)), "opaque data of a call"),
    (Assistant((CALL, ToolResult("A", "f", ()))), "messages of their own"),
    (User((ToolResult("A", "f", ()),)), "messages of their own"),
    (Tool(()), "borders"),
    (Tool((ToolResult("A", "f", (Text("x"),)),)), "name of a tool"),
    (Tool((ToolResult("A", "", (Text("x"),), is_error=True),)), "tool failed"),
    (Tool((ToolResult("A", "", (Image(Url(PNG), "image/png"),)),)), "media in a tool result"),
]


@pytest.mark.parametrize(("message", "words"), LOSSES)
def test_what_openai_cannot_say_is_reported_with_its_message(message, words):
    _, ledger = to_openai_messages([user("first"), message])
    assert any(line.startswith("message 2: ") and words in line for line in ledger), ledger


FOREIGN = [
    ({"role": "user", "content": "a", "name": "Ada"}, "'name' of a user message"),
    ({"role": "narrator", "content": "a"}, "role 'narrator'"),
    ("hello", "role None"),
    ({"role": "user", "content": [7]}, "no object"),
    ({"role": "user", "content": [{"type": "text", "text": "a", "cache_control": {}}]}, "'cache_control'"),
    ({"role": "user", "content": [{"type": "image_url", "image_url": {"url": PNG, "detail": "low"}}]}, "'detail'"),
    ({"role": "assistant", "content": "a", "name": "Bot"}, "name of the speaker"),
    ({"role": "assistant", "tool_calls": [{"id": "A", "type": "function"}]}, "without a name"),
    ({"role": "assistant", "tool_calls": [{"function": {"name": "f"}}]}, "without an id"),
    ({"role": "tool", "tool_call_id": "Z", "content": "x"}, "answers no call"),
]


@pytest.mark.parametrize(("document", "words"), FOREIGN)
def test_what_the_ir_cannot_hold_is_reported(document, words):
    _, ledger = from_openai_messages([document])
    assert any(words in line for line in ledger), ledger


@pytest.mark.parametrize("refusal", [None, "", 7, {"x": 1}])
def test_C16_a_refusal_of_any_other_form_is_none(refusal):
    (message,), _ = from_openai_messages([{"role": "assistant", "content": "a", "refusal": refusal}])
    assert message == Assistant((Text("a"),))


def test_K19_a_custom_call_needs_no_type():
    entry = {"id": "A", "custom": {"name": "sql", "input": "x"}}
    (message,), _ = from_openai_messages([{"role": "assistant", "tool_calls": [entry]}])
    assert message.content[0].provider_data == ProviderData("openai_chat", {"type": "custom"})


@pytest.mark.parametrize(("arguments", "raw"), [({"a": 1}, '{"a": 1}'), (None, ""), ('{"a": 1}', '{"a": 1}')])
def test_K09_arguments_are_read_in_any_form(arguments, raw):
    entry = {"id": "A", "type": "function", "function": {"name": "f", "arguments": arguments}}
    (message,), _ = from_openai_messages([{"role": "assistant", "tool_calls": [entry]}])
    assert message.content[0].raw_arguments == raw


def test_the_function_roles_of_before_2024_are_read():
    documents = [
        {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": '{"a": 1}'}},
        {"role": "function", "name": "f", "content": "ok"},
    ]
    (answer, tool), ledger = from_openai_messages(documents)
    call = answer.content[0]
    assert (call.name, call.input) == ("f", {"a": 1})
    assert tool == Tool((ToolResult(call.id, "f", (Text("ok"),)),))
    assert len(ledger) == 2


def test_R01_thinking_is_read_from_any_member_and_once():
    document = {"role": "assistant", "content": "a", "reasoning": "hm", "reasoning_content": "hm"}
    assert from_openai_messages([document])[0] == (Assistant((Thinking("hm"), Text("a"))),)


@pytest.mark.parametrize("odd", [None, [], {}, 7, "x", [None], [{}], {"role": "user", "content": {}}])
def test_documents_of_any_form_never_raise(odd):
    keys = ("content", "tool_calls", "refusal", "reasoning_content", "reasoning_details", "function_call")
    documents = [
        {"role": role, **dict.fromkeys(keys, odd)} for role in ("system", "user", "assistant", "tool", "function")
    ]
    from_openai_messages([odd, *documents])
