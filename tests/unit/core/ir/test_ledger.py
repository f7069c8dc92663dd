"""The loss ledger (PROV7)."""

from agdesk.core.ir.ledger import Ledger, LedgerLine, beyond, read_line


def test_the_same_note_about_several_messages_is_one_line():
    ledger = Ledger()
    for position in (0, 2, 2):
        ledger.note("an image was left out", position)
    ledger.note("tools were left out")
    ledger.note("tools were left out")
    assert ledger.lines() == ("message 1, 3: an image was left out", "tools were left out")


def test_an_empty_ledger_has_no_lines():
    assert Ledger().lines() == ()


def test_a_line_is_read_back_as_it_was_written():
    ledger = Ledger()
    ledger.note("an image was left out: its bytes are not at hand", 0)
    ledger.note("an image was left out: its bytes are not at hand", 11)
    ledger.note("tools were left out")
    assert [read_line(line) for line in ledger.lines()] == [
        LedgerLine((1, 12), "an image was left out: its bytes are not at hand"),
        LedgerLine((), "tools were left out"),
    ]


def test_only_what_another_ledger_does_not_say_is_beyond_it():
    known = ("message 1, 3: an image was left out", "tools were left out")
    lines = ("message 1, 2, 3: an image was left out", "message 3: thinking was left out", "tools were left out", "new")
    assert beyond(lines, known) == (
        LedgerLine((2,), "an image was left out"),
        LedgerLine((3,), "thinking was left out"),
        LedgerLine((), "new"),
    )
    assert beyond(lines, lines) == ()
    assert beyond(lines, ()) == tuple(map(read_line, lines))


def test_thinking_that_is_left_out_in_both_is_no_change_whatever_the_reasons():
    known = ("message 2: thinking was left out: this provider does not take it back",)
    lines = ("message 2, 4: thinking was left out: it is not from this provider",)
    assert beyond(lines, known) == (LedgerLine((4,), "thinking was left out: it is not from this provider"),)


def test_an_image_that_is_left_out_for_another_reason_may_be_another_image():
    known = ("message 1: an image was left out: its bytes are not at hand",)
    lines = ("message 1: an image was left out: this provider takes none",)
    assert beyond(lines, known) == tuple(map(read_line, lines))
