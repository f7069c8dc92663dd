"""Each field of a dialect that shapes requests: with it and without it, and that what is changed is in the ledger."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from agdesk.core.ir.blocks import Audio, ContentBlock, File, Image, Text, Thinking, ToolResult, ToolUse, Url
from agdesk.core.ir.messages import Assistant, Tool, User, system, user
from agdesk.core.ir.request import (
    MessageRequest,
    None_,
    Required,
    ResponseFormat,
    SpecificTool,
    ThinkingOptions,
    ToolDefinition,
)
from agdesk.core.providers.dialect import AnswerFormat, ForcedChoice, MediaKind, ReasoningReplay
from agdesk.core.trace.redact import Secrets
from tests.wire.openai_chat.histories import HELLO, OWN, rendered, result, roles, sent, use
from tests.wire.openai_chat.streams import ENDPOINT, WIRE, endpoint

TOOLS = tuple(ToolDefinition(name, "", {"type": "object"}) for name in ("f", "g"))
IMAGE = Image(Url("data:image/png;base64,AA=="), "image/png")
AUDIO = Audio(Url("data:audio/wav;base64,AA=="), "audio/wav")
FILE = File(Url("data:application/pdf;base64,AA=="), "application/pdf", "a.pdf")
ROUND = (user("q"), Assistant((use(),), OWN), Tool((result(),)))


def assistant(text: str) -> Assistant:
    return Assistant((Text(text),))


def asked(at=ENDPOINT, **parameters) -> tuple[dict[str, Any], tuple[str, ...]]:
    return rendered(at=at, **parameters)


# --- keys ---


def test_a_key_goes_into_the_header_of_the_row_and_is_masked_there():
    row = dataclasses.replace(ENDPOINT, key_header="api-key")
    made = WIRE.render_request(MessageRequest("m", HELLO), endpoint=row, api_key="0123456789abcdef", is_streaming=True)
    assert made.headers == {"api-key": "0123456789abcdef"}
    ((_, masked),) = Secrets().redact_headers(made.headers.items())
    assert "0123" not in masked
    assert WIRE.render_request(MessageRequest("m", HELLO), endpoint=row, api_key=None, is_streaming=True).headers == {}


# --- names of parameters ---


def test_the_seed_has_the_server_s_name():
    body, _ = asked(endpoint(seed_field="random_seed"), seed=7)
    assert body["random_seed"] == 7
    assert "seed" not in body
    assert "random_seed" not in asked(endpoint(seed_field="random_seed"))[0]


def test_E07_parameters_that_the_server_refuses_are_left_out_and_noted():
    row = endpoint(refused_parameters=("tools", "tool_choice", "stop"))
    body, ledger = asked(row, tools=TOOLS, tool_choice=Required(), stop=("x",), temperature=0.5)
    assert set(body) == {"model", "messages", "temperature"}
    assert ledger == tuple(
        f"{name!r} was left out: this provider refuses it" for name in ("tools", "tool_choice", "stop")
    )
    assert asked(row)[1] == ()


def test_E07_extra_goes_out_even_if_the_row_refuses_it():
    assert asked(endpoint(refused_parameters=("stop",)), extra={"stop": "x"})[0]["stop"] == "x"


# --- tools ---


def test_the_word_for_some_tool_is_the_server_s():
    row = endpoint(required_word="any")
    assert asked(row, tools=TOOLS, tool_choice=Required())[0]["tool_choice"] == "any"
    assert asked(row, tools=TOOLS, tool_choice=None_())[0]["tool_choice"] == "none"


@pytest.mark.parametrize("choice", [Required(), SpecificTool("g")])
def test_R12_no_call_is_forced_while_the_model_thinks(choice):
    row = endpoint(forces_tools_while_thinking=False, thinking_style="thinking_type")
    for options in (None, ThinkingOptions(is_enabled=True), ThinkingOptions(effort="low")):
        body, ledger = asked(row, tools=TOOLS, tool_choice=choice, thinking=options)
        assert "tool_choice" not in body
        assert len(body["tools"]) == 2
        assert ledger == ("which tool is called was left to the model: this provider forces no call while it thinks",)
    body, ledger = asked(row, tools=TOOLS, tool_choice=choice, thinking=ThinkingOptions(is_enabled=False))
    assert body["tool_choice"] in ("required", {"type": "function", "function": {"name": "g"}})
    assert ledger == ()
    assert asked(row, tools=TOOLS, tool_choice=None_())[0]["tool_choice"] == "none"


def test_a_server_without_a_word_for_one_tool_is_offered_only_that():
    row = endpoint(tool_choices=(ForcedChoice.NONE, ForcedChoice.REQUIRED))
    body, ledger = asked(row, tools=TOOLS, tool_choice=SpecificTool("g"))
    assert [tool["function"]["name"] for tool in body["tools"]] == ["g"]
    assert body["tool_choice"] == "required"
    assert len(ledger) == 1


def test_a_server_that_knows_auto_alone_is_told_no_choice():
    row = endpoint(tool_choices=())
    body, ledger = asked(row, tools=TOOLS, tool_choice=Required())
    assert "tool_choice" not in body and len(body["tools"]) == 2
    assert ledger == ("whether a tool is called was left to the model: this provider forces no call",)
    body, ledger = asked(row, tools=TOOLS, tool_choice=SpecificTool("g"))
    assert "tool_choice" not in body and len(body["tools"]) == 1
    assert len(ledger) == 2
    body, ledger = asked(row, tools=TOOLS, tool_choice=None_(), parallel_tool_calls=False)
    assert set(body) == {"model", "messages"}
    assert ledger == ("the tools were left out: this provider has no word for not calling them",)


# --- the form of the answer ---

SCHEMA = ResponseFormat({"type": "object", "properties": {}}, "person")


def test_a_schema_becomes_any_json_where_there_are_no_schemas():
    body, ledger = asked(endpoint(answer_formats=(AnswerFormat.JSON_OBJECT,)), response_format=SCHEMA)
    assert body["response_format"] == {"type": "json_object"}
    assert "schema of the answer was left out" in ledger[0]


def test_any_json_becomes_a_schema_where_there_are_only_schemas():
    body, ledger = asked(endpoint(answer_formats=(AnswerFormat.JSON_SCHEMA,)), response_format=ResponseFormat())
    assert body["response_format"]["json_schema"] == {"name": "answer", "schema": {"type": "object"}}
    assert ledger == ()


def test_the_form_of_the_answer_gives_way_to_tools_where_both_are_refused():
    row = endpoint(formats_answers_with_tools=False)
    body, ledger = asked(row, response_format=SCHEMA, tools=TOOLS)
    assert "response_format" not in body and "tools" in body
    assert ledger == ("the form of the answer was left out: this provider takes either it or tools",)
    assert "response_format" in asked(row, response_format=SCHEMA)[0]


# --- messages ---


@pytest.mark.parametrize(
    ("kind", "block", "name"),
    [(MediaKind.IMAGE, IMAGE, "an image"), (MediaKind.AUDIO, AUDIO, "an audio clip"), (MediaKind.FILE, FILE, "a file")],
)
def test_media_that_the_server_refuses_are_left_out_of_messages_and_results(kind: MediaKind, block: ContentBlock, name):
    others = tuple(other for other in MediaKind if other is not kind)
    history = (User((Text("See:"), block)), Assistant((use(),)), Tool((ToolResult("A", "f", (Text("r"), block)),)))
    messages, ledger = sent(*history, at=endpoint(media=others))
    assert [m["content"] for m in messages] == ["See:", None, "r"]
    assert ledger == (f"message 1, 2: {name} was left out: this provider takes none",)
    assert len(sent(*history, at=endpoint(media=(kind,)))[0]) == 4


def test_A07_a_message_of_nothing_but_refused_media_still_stands_after_the_answer_before():
    messages, ledger = sent(user("q"), Assistant((Text("a"),)), User((IMAGE,)), at=endpoint(media=()))
    assert [m["content"] for m in messages] == ["q", "a", "[left out]"]
    assert ledger == (
        "message 3: an image was left out: this provider takes none",
        "message 3: '[left out]' stands for a message of which nothing could be sent",
    )


def test_K20_the_model_speaks_between_results_and_the_user_where_it_must():
    row = endpoint(needs_answer_after_results=True)
    messages, ledger = sent(*ROUND, user("next"), at=row)
    assert [m["role"] for m in messages] == ["user", "assistant", "tool", "assistant", "user"]
    assert messages[3] == {"role": "assistant", "content": "(no answer)"}
    assert len(ledger) == 1
    messages, ledger = sent(*ROUND, assistant("1"), user("next"), at=row)
    assert [m["role"] for m in messages] == ["user", "assistant", "tool", "assistant", "user"]
    assert ledger == ()
    assert [m["role"] for m in sent(*ROUND, at=row)[0]] == ["user", "assistant", "tool"]
    assert len(sent(*ROUND, user("next"))[0]) == 4


def test_K20_also_before_the_media_of_results():
    history = (user("q"), Assistant((use(),)), Tool((ToolResult("A", "f", (Text("r"), IMAGE)),)))
    messages, _ = sent(*history, at=endpoint(needs_answer_after_results=True))
    assert [m["role"] for m in messages] == ["user", "assistant", "tool", "assistant", "user"]


def test_results_carry_the_name_of_their_tool_where_it_is_wanted():
    calls = Assistant((use("A", "f"), ToolUse("B", "", {}, "{}")))
    messages, _ = sent(calls, Tool((result("B"), result("A"))), at=endpoint(sends_result_name=True, call_id_length=9))
    assert [m.get("name") for m in messages] == [None, "f", "unnamed"]
    assert all("name" not in m for m in sent(calls)[0])


def test_an_answer_of_calls_alone_has_an_empty_text_where_null_is_refused():
    assert [m["content"] for m in sent(*ROUND, at=endpoint(takes_null_content=False))[0]] == ["q", "", "ok"]
    assert [m["content"] for m in sent(*ROUND)[0]] == ["q", None, "ok"]


def test_R03_thinking_goes_back_under_the_server_s_name():
    history = (user("q"), Assistant((Thinking("hm"), Text("a")), OWN))
    row = endpoint(reasoning_replay=ReasoningReplay.ALWAYS, reasoning_member="reasoning")
    answer = sent(*history, at=row)[0][1]
    assert answer == {"role": "assistant", "content": "a", "reasoning": "hm"}


def test_R03_answers_without_thinking_have_empty_thinking_where_it_is_demanded():
    row = endpoint(reasoning_replay=ReasoningReplay.TOOL_TURNS, needs_reasoning=True)
    messages, ledger = sent(
        user("q"), Assistant((Thinking("hm"), use()), OWN), Tool((result(),)), assistant("1"), at=row
    )
    assert [m.get("reasoning_content") for m in messages] == [None, "hm", None, ""]
    assert ledger == ("empty thinking was added to answers without any: this provider wants some in each",)
    messages, ledger = sent(*HELLO, assistant("a"), user("b"), at=row)
    assert all("reasoning_content" not in m for m in messages), "without calls nothing demands it"
    assert ledger == ()


def test_roles_alternate_where_they_must():
    row = endpoint(alternates_roles=True)
    history = (user("a"), user("b"), system("S"), User((Text("c"), IMAGE)), assistant("x"), assistant("y"), user("d"))
    messages, ledger = sent(*history, at=row)
    assert [m["role"] for m in messages] == ["system", "user", "assistant", "user"]
    assert messages[0]["content"] == "S"
    assert [part["type"] for part in messages[1]["content"]] == ["text", "text", "image_url"]
    assert messages[1]["content"][0]["text"] == "a\n\nb"
    assert messages[2]["content"] == "x\n\ny"
    assert any("moved to the front" in line for line in ledger) and any("joined" in line for line in ledger)
    assert len(sent(*history)[0]) == 7


def test_joining_leaves_calls_and_their_results_apart():
    messages, _ = sent(*ROUND, Assistant((use("B"),)), Tool((result("B"),)), at=endpoint(alternates_roles=True))
    assert roles(messages) == [("user", None), ("assistant", None), ("tool", "A"), ("assistant", None), ("tool", "B")]
    two = Assistant((use("A"), use("B")))
    messages, _ = sent(user("q"), two, Tool((result("A"), result("B"))), at=endpoint(alternates_roles=True))
    assert roles(messages)[2:] == [("tool", "A"), ("tool", "B")]
