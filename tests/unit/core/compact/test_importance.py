"""The four sources: what is a list, a status, an error, and what each adds."""

import json

import pytest

from agdesk.core.compact.importance import contributions, read_content
from agdesk.core.ir.compaction import BlockPath, Finding, Reference, Source
from agdesk.core.ir.request import ResultSemantic

REFERENCE = Reference(BlockPath(2, 0), 4, ("anchor", "bridge", "canal"))


def finding(document, *, is_error=False):
    text = document if isinstance(document, str) else json.dumps(document)
    return read_content(text, is_error=is_error).finding


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ([], Finding.OTHER_CONTENT),
        ([1, 2], Finding.OTHER_CONTENT),
        ([1, 2, 3], Finding.LIST),
        (" \n[1, 2, 3]", Finding.LIST),
        ({"rows": [1, 2, 3]}, Finding.LIST),
        ({"rows": [1, 2]}, Finding.OTHER_CONTENT),
        ({"rows": [1, 2, 3], "next": None}, Finding.OTHER_CONTENT),
        ({"result": [1, 2, 3]}, Finding.LIST),
        ({"result": [1, 2]}, Finding.STATUS),
        ("1, 2, 3", Finding.OTHER_CONTENT),
        ("[1, 2, 3", Finding.OTHER_CONTENT),
        ("[" * 100_000, Finding.OTHER_CONTENT),
        ('"[1, 2, 3]"', Finding.OTHER_CONTENT),
    ],
)
def test_a_list_is_a_json_array_of_three_items_or_more_alone_or_as_the_only_member(document, expected):
    assert finding(document) is expected


@pytest.mark.parametrize("key", ["ok", "success", "status", "message", "id", "result", "error"])
def test_a_status_has_only_the_members_of_one(key):
    assert finding({key: None}) is Finding.STATUS
    assert finding({key: None, "ok": True}) is Finding.STATUS
    assert finding({key: None, "rows": 1}) is Finding.OTHER_CONTENT


def test_a_status_is_shorter_than_500_characters():
    shell = len(json.dumps({"message": ""}))
    assert finding({"message": "x" * (499 - shell)}) is Finding.STATUS
    assert finding({"message": "x" * (500 - shell)}) is Finding.OTHER_CONTENT


@pytest.mark.parametrize(
    "document",
    [
        {"error": "no such file"},
        {"error": {"code": 4}, "rows": [1, 2, 3]},
        {"errors": ["a"]},
        {"ok": False},
        {"success": False, "id": 1},
        {"isError": True, "content": []},
        {"is_error": True},
        {"status": "failed"},
        {"status": "Error", "message": "m"},
        {"status": 400},
        {"status": 599},
        "Error: there is no such file",
    ],
)
def test_an_error_is_what_the_tool_or_its_json_calls_one(document):
    assert finding(document) is Finding.ERROR


@pytest.mark.parametrize(
    "document",
    [
        {"error": None},
        {"error": ""},
        {"error": False, "ok": True},
        {"errors": [], "rows": 1},
        {"status": 399},
        {"status": 600},
        {"status": "sent"},
        {"rows": [{"error": "x"}], "n": 1},
        "An error occurred",
    ],
)
def test_a_member_that_says_nothing_of_a_failure_is_no_error(document):
    assert finding(document) is not Finding.ERROR


def test_what_the_tool_says_counts_before_what_its_text_looks_like():
    assert finding([1, 2, 3], is_error=True) is Finding.ERROR


def parts(text="plain", *, semantic=None, reference=None, created=1, current=1, fading_turns=3):
    return contributions(
        read_content(text, is_error=False),
        semantic=semantic,
        reference=reference,
        created_turn=created,
        current_turn=current,
        fading_turns=fading_turns,
    )


def test_every_source_is_told_in_the_documents_order():
    assert [part.source for part in parts()] == [Source.DECLARED, Source.CONTENT, Source.FADING, Source.REFERENCE]


@pytest.mark.parametrize(
    ("semantic", "value"),
    [(ResultSemantic.FACTUAL, 1), (ResultSemantic.ACTION, -1), (ResultSemantic.MIXED, 0), (None, 0)],
)
def test_source_1_is_what_the_tool_declares_and_nothing_without_a_declaration(semantic, value):
    assert parts(semantic=semantic)[0].value == value


@pytest.mark.parametrize(("text", "value"), [("[1,2,3]", 1), ('{"ok":true}', -1), ('{"a":1}', 0), ("plain", 0)])
def test_source_2_is_what_the_content_looks_like(text, value):
    assert parts(text)[1].value == value


@pytest.mark.parametrize(
    ("turns", "value"), [(0, 0), (1, 0), (2, 0), (3, -0.5), (5, -0.5), (6, -1), (8, -1), (9, -1.5), (30, -5)]
)
def test_source_3_takes_half_a_point_for_every_three_turns(turns, value):
    part = parts(created=2, current=2 + turns)[2]
    assert (part.value, part.turns) == (value, turns)


@pytest.mark.parametrize(("fading_turns", "value"), [(1, -3), (2, -1.5), (6, -0.5), (7, 0)])
def test_how_many_turns_is_a_setting(fading_turns, value):
    assert parts(created=1, current=7, fading_turns=fading_turns)[2].value == value


def test_source_4_is_from_where_fading_counts_and_its_words_are_listed():
    fading, referenced = parts(reference=REFERENCE, created=1, current=7)[2:]
    assert (fading.value, fading.turns) == (-0.5, 3)
    assert (referenced.value, referenced.turn, referenced.words) == (0, 4, ("anchor", "bridge", "canal"))


def test_the_sources_sum_to_the_score_in_steps_of_one_half():
    found = parts("[1,2,3]", semantic=ResultSemantic.FACTUAL, created=1, current=4)
    assert sum(part.value for part in found) == 1.5
