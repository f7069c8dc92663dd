"""What stands instead: beginnings, skeletons, receipts; and the marks by which they are known again."""

import json

import pytest

from agdesk.core.compact.importance import read_content
from agdesk.core.compact.markers import has_mark
from agdesk.core.compact.receipt import receipt
from agdesk.core.compact.skeleton import structured, truncated
from agdesk.core.ir.blocks import ToolUse


def skeleton(text, keep=500):
    return structured(read_content(text, is_error=False).document, size=len(text), keep=keep)


def skeleton_of(text, keep=500):
    written = skeleton(text, keep)
    assert written is not None
    assert len(written) <= keep
    return written


def test_a_text_is_cut_to_its_first_200_characters_and_says_how_many_are_gone():
    text = "".join(str(n % 10) for n in range(1000))
    assert truncated(text, 200) == text[:200] + "\n[… 800 characters cut]"
    assert truncated(text[:201], 200) == text[:200] + "\n[… 1 characters cut]"
    assert truncated(text[:200], 200) == text[:200]


def test_characters_are_not_bytes():
    assert truncated("灯" * 300, 200) == "灯" * 200 + "\n[… 100 characters cut]"


def test_a_list_keeps_its_first_items_and_says_what_is_gone():
    rows = [{"id": n, "name": f"row {n}"} for n in range(100)]
    text = json.dumps(rows)
    bones = json.loads(skeleton_of(text))
    assert bones[:4] == [*rows[:3], "… 97 more"]
    written = len(json.dumps(bones[:4], ensure_ascii=False, separators=(",", ":")))
    assert bones[4:] == [f"[… 97 items and {len(text) - written} characters cut]"]


def test_every_member_of_an_object_stays_and_values_are_cut():
    text = json.dumps({"title": "x" * 41, "short": "y" * 40, "rows": [1, 2, 3, 4], "sub": {"n": None, "b": True}})
    bones = json.loads(skeleton_of(text))
    assert bones.pop("…").startswith("[… 1 items and ")
    assert bones == {
        "title": "x" * 40 + "…",
        "short": "y" * 40,
        "rows": [1, 2, 3, "… 1 more"],
        "sub": {"n": None, "b": True},
    }


def test_rich_items_are_cut_to_fewer_and_shorter_ones_until_they_fit():
    rows = [{f"field {m}": "x" * 100 for m in range(8)} for _ in range(50)]
    written = skeleton_of(json.dumps(rows))
    first, more, _ = json.loads(written)
    assert list(first) == list(rows[0])
    assert more == "… 49 more"


@pytest.mark.parametrize(
    "text",
    [
        "plain text",
        '{"cut": ',
        '"a text"',
        "12",
        "null",
        "[NaN]" + " " * 600,
        "[" * 100_000,
        json.dumps({f"member {n}": n for n in range(100)}),
        json.dumps({"…": 1}),
        "[" + "9" * 600 + "]",
        "[" + "9" * 6000 + "]",
    ],
)
def test_what_is_no_json_or_has_no_skeleton_of_that_size_has_none(text):
    assert skeleton(text) is None


def test_the_skeleton_fits_exactly_or_not_at_all():
    text = json.dumps([{"id": n} for n in range(400)])
    size = len(skeleton_of(text))
    assert skeleton(text, size) == skeleton_of(text)
    assert skeleton(text, size - 1) != skeleton_of(text)
    assert skeleton(text, 20) is None


def test_T27_half_a_character_in_the_json_does_not_come_out_as_half_a_character():
    skeleton_of(json.dumps(["\ud83d" * 100] * 9)).encode("utf-8")


def test_COMP6_a_receipt_says_tool_target_outcome_and_size_in_one_line():
    call = ToolUse("c", "send_mail", {"text": "Dear", "to": "ana@port.example"}, "")
    text = json.dumps({"status": "sent", "id": 7, "log": "x" * 3000})
    said = receipt(text, tool="send_mail", call=call, is_error=False, document=json.loads(text))
    assert said == f"[pruned]\nsend_mail ana@port.example: done: status sent; id 7, {len(text)} characters"


@pytest.mark.parametrize(
    ("arguments", "target"),
    [
        ({"path": "a.py", "text": "b"}, " a.py"),
        ({"argv": ["make", "all"]}, " make all"),
        ({"city": "Delft"}, " Delft"),
        ({"deep": {"a": 1}, "n": 5}, " 5"),
        ({"flag": True}, " true"),
        ({"path": "", "city": "Delft"}, " Delft"),
        ({"path": "a\nb\u2028c"}, " a b c"),
        ({"path": "x" * 61}, " " + "x" * 59 + "…"),
        ({}, ""),
        (None, ""),
    ],
)
def test_COMP6_the_target_is_the_argument_that_says_most(arguments, target):
    call = ToolUse("c", "t", arguments, "")
    assert receipt("", tool="t", call=call, is_error=False, document=None) == f"[pruned]\nt{target}: done, 0 characters"


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("\n First line \nsecond", "done: First line"),
        ("", "done"),
        (json.dumps([1, 2, 3]), "done: 3 items"),
        (json.dumps({"message": "x" * 100}), "done: message " + "x" * 51 + "…"),
        (json.dumps({"rows": []}), "done"),
    ],
)
def test_COMP6_the_outcome_is_the_status_the_length_of_a_list_or_the_first_line(text, outcome):
    document = json.loads(text) if text.startswith(("[", "{")) else None
    said = receipt(text, tool="t", call=None, is_error=False, document=document)
    assert said == f"[pruned]\nt: {outcome}, {len(text)} characters"


def test_COMP6_a_failure_is_told_and_a_tool_without_name_has_one():
    said = receipt("boom", tool="", call=None, is_error=True, document=None)
    assert said == "[pruned]\ntool: failed: boom, 4 characters"


@pytest.mark.parametrize(
    "text",
    [
        "[pruned]",
        "[pruned thinking]",
        receipt("x", tool="t", call=None, is_error=False, document=None),
        truncated("x" * 300, 200),
        skeleton(json.dumps(list(range(1000)))),
        skeleton(json.dumps({"rows": list(range(1000))})),
    ],
)
def test_every_replacement_is_known_again(text):
    assert has_mark(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain",
        "it wrote [pruned] there",
        "[pruned] and more",
        "[… 3 characters cut]\nmore",
        "x [… 3 characters cut]",
    ],
)
def test_texts_about_marks_carry_none(text):
    assert not has_mark(text)
