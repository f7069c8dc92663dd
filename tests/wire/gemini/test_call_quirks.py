"""Calls: without ids, with a plain STOP, without arguments, and in pieces."""

from __future__ import annotations

import pytest

from agdesk.core.ir.blocks import ProviderData
from agdesk.core.ir.stream import ToolCallEnd
from tests.wire.gemini.streams import READING, answer, body_of, call, chunk, inputs, text, thought


def test_G03_C07_calls_and_STOP_in_different_chunks_are_a_tool_use():
    found = answer(chunk(call("f", {"a": 1})), chunk(finish="STOP"))
    assert (found.stop, found.response.raw_stop_reason) == ("tool_use", "STOP")
    assert inputs(found.tools) == [{"a": 1}]


@pytest.mark.parametrize("word", ["MAX_TOKENS", "SAFETY", "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "NEW"])
def test_C07_C18_calls_before_any_other_end_do_not_run(word):
    found = answer(chunk(call("f", {"a": 1})), chunk(finish=word))
    assert found.stop != "tool_use"
    assert [bool(tool.input_error) for tool in found.tools] == [True]


def test_G02_K05_calls_without_ids_get_their_own():
    found = answer(chunk(text("a"), call("f", {"x": 1}), call("f", {"x": 2}), finish="STOP"))
    assert [tool.id for tool in found.tools] == ["call_s_1", "call_s_2"]


def test_G02_an_id_of_Google_is_kept_with_its_origin():
    found = answer(chunk(call("f", {}, id="A"), finish="STOP"))
    (tool,) = found.tools
    assert (tool.id, tool.provider_data) == ("A", ProviderData("gemini", {"functionCall": {"id": "A"}}))


def test_K18_an_id_that_is_given_twice_names_one_call():
    found = answer(chunk(call("f", {}, id="A"), call("g", {}, id="A"), finish="STOP"))
    assert [tool.id for tool in found.tools] == ["A", "call_s_1"]


def test_L03_the_same_tool_twice_and_calls_spread_over_chunks():
    found = answer(chunk(call("f", {"x": 1}), call("f", {"x": 1})), chunk(call("g", {})), chunk(finish="STOP"))
    assert [(tool.name, tool.input) for tool in found.tools] == [("f", {"x": 1}), ("f", {"x": 1}), ("g", {})]
    assert len({tool.id for tool in found.tools}) == 3


@pytest.mark.parametrize("members", [{}, {"args": None}, {"args": {}}])
def test_G14_K13_a_call_without_arguments_has_an_empty_object(members):
    found = answer(chunk({"functionCall": {"name": "f"} | members}, finish="STOP"))
    assert (found.stop, inputs(found.tools)) == ("tool_use", [{}])


@pytest.mark.parametrize("arguments", [[1], 7, "{", True])
def test_K12_arguments_that_are_no_object_do_not_run(arguments):
    found = answer(chunk(call("f", arguments), finish="STOP"))
    assert found.tools[0].input is None
    assert found.tools[0].input_error


def test_a_call_without_a_name_does_not_run():
    found = answer(chunk({"functionCall": {"args": {"a": 1}}}, finish="STOP"))
    assert found.tools[0].input_error == "the call names no tool"


def test_G01_the_signature_of_a_call_stays_with_it():
    found = answer(chunk(call("f", {}, signature="S"), call("g", {}), finish="STOP"))
    assert found.tools[0].provider_data == ProviderData("gemini", {"thoughtSignature": "S"})
    assert found.tools[1].provider_data is None


def test_a_call_ends_the_running_text():
    found = answer(chunk(thought("t"), text("a"), call("f", {}), text("b"), finish="STOP"))
    assert found.kinds == ["Thinking", "Text", "ToolUse", "Text"]


def piece(path, **members):
    return call(None, partialArgs=[{"jsonPath": path} | members], willContinue=True)


def test_G13_arguments_in_pieces_are_put_at_their_paths():
    found = answer(
        chunk(call("f", willContinue=True, signature="S")),
        chunk(piece("$.city", stringValue="Bos", willContinue=True)),
        chunk(piece("$.city", stringValue="ton", willContinue=True), piece("$.city", stringValue="")),
        chunk(piece("$.days[0].n", numberValue=5), piece("$.days[1]", boolValue=False)),
        chunk(piece("$['a.b']", nullValue="NULL_VALUE"), piece('$["it\\"s"].c', stringValue="x")),
        chunk(call()),
        chunk(finish="STOP"),
    )
    assert inputs(found.tools) == [{"city": "Boston", "days": [{"n": 5}, False], "a.b": None, 'it"s': {"c": "x"}}]
    assert found.tools[0].provider_data == ProviderData("gemini", {"thoughtSignature": "S"})
    assert found.stop == "tool_use"


def test_G13_a_missing_terminal_piece_closes_at_the_next_call_and_at_the_end():
    found = answer(
        chunk(call("f", willContinue=True), piece("$.a", numberValue=1)),
        chunk(call("g", willContinue=True), piece("$.b", numberValue=2)),
        chunk(finish="STOP"),
    )
    assert [(tool.name, tool.input) for tool in found.tools] == [("f", {"a": 1}), ("g", {"b": 2})]


def test_G13_a_call_in_pieces_that_was_cut_is_not_marked_whole():
    found = answer(chunk(call("f", willContinue=True), piece("$.a", numberValue=1)), chunk(finish="MAX_TOKENS"))
    assert not any(isinstance(event, ToolCallEnd) for event in found.events)
    assert (found.tools[0].input, found.tools[0].raw_arguments) == (None, '{"a": 1}')


def test_G13_a_first_piece_may_have_values_and_the_last_the_rest():
    found = answer(
        chunk(call("f", partialArgs=[{"jsonPath": "$.a", "stringValue": "x"}], willContinue=True)),
        chunk(call(None, {"b": 2})),
        chunk(finish="STOP"),
    )
    assert inputs(found.tools) == [{"a": "x", "b": 2}]


@pytest.mark.parametrize(
    "wrong",
    [
        {"jsonPath": "$", "stringValue": "x"},
        {"jsonPath": "a", "stringValue": "x"},
        {"jsonPath": "$.a[*]", "stringValue": "x"},
        {"jsonPath": "$.a[999999]", "stringValue": "x"},
        {"jsonPath": "$.city.deeper", "stringValue": "x"},
        {"jsonPath": "$.city[0]", "stringValue": "x"},
        {"jsonPath": "$" + ".a" * 101, "stringValue": "x"},
        {"jsonPath": "$.a", "inventedValue": 1},
        {"stringValue": "x"},
        7,
    ],
)
def test_G13_pieces_that_cannot_be_placed_are_kept_and_do_not_run(wrong):
    known = {"jsonPath": "$.city", "stringValue": "x"}
    found = answer(chunk(call("f", partialArgs=[known, wrong, known])), chunk(finish="STOP"))
    assert found.tools[0].input is None
    assert found.tools[0].raw_arguments.count('"$.city"') >= 2


def test_T16_a_call_without_an_end_of_the_answer_does_not_run():
    found = READING.answer(body_of(chunk(call("f", {"a": 1}))))
    assert (found.stop, found.tools[0].input) == ("incomplete", None)
    assert found.tools[0].input_error
