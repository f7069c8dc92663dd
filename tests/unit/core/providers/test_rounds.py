"""What all formats do to a history before they write it: names and arguments of calls (K12, K15)."""

import pytest

from agdesk.core.ir.blocks import ToolUse
from agdesk.core.ir.ledger import Ledger
from agdesk.core.providers.rounds import sendable_arguments, sendable_name

CHANGED = ("message 3: the name of a call was changed to one that this provider takes",)


@pytest.mark.parametrize(
    ("name", "also", "sent", "lines"),
    [
        ("look_up-2", "", "look_up-2", ()),
        ("functions.look_up", "", "functions_look_up", CHANGED),
        ("functions.look:up", ".:", "functions.look:up", ()),
        ("sieh nach", ".:", "sieh_nach", CHANGED),
        ("", "", "unnamed", CHANGED),
        ("x" * 70, "", "x" * 64, CHANGED),
    ],
)
def test_K15_names_that_models_make_up_are_mended(name, also, sent, lines):
    ledger = Ledger()
    assert sendable_name(ToolUse("A", name, {}, "{}"), ledger, 2, also=also) == sent
    assert ledger.lines() == lines


def test_K15_a_name_may_have_to_begin_with_a_letter():
    ledger = Ledger()
    names = [
        sendable_name(ToolUse("A", name, {}, "{}"), ledger, 2, begins_with_letter=True) for name in ("f", "_f", "1")
    ]
    assert names == ["f", "_f", "_1"]
    assert ledger.lines() == CHANGED


@pytest.mark.parametrize("raw", ['{"a": 1}', '"{\\"a\\": 1}"'])
def test_the_arguments_of_a_call_that_was_cut_go_back_unchanged_if_they_are_whole(raw):
    ledger = Ledger()
    cut = ToolUse("A", "f", None, raw, "the answer was cut")
    assert sendable_arguments(cut, ledger, 0) == {"a": 1}
    assert ledger.lines() == ()


@pytest.mark.parametrize("raw", ['{"a": ', "[1]", "no JSON"])
def test_K12_arguments_that_are_no_object_are_sent_in_one(raw):
    ledger = Ledger()
    assert sendable_arguments(ToolUse("A", "f", None, raw, "bad"), ledger, 0) == {"INVALID_JSON": raw}
    assert ledger.lines() == ("message 1: arguments that are no JSON object are sent as INVALID_JSON",)
