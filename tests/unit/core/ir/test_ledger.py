"""The loss ledger (PROV7)."""

from agdesk.core.ir.ledger import Ledger


def test_the_same_note_about_several_messages_is_one_line():
    ledger = Ledger()
    for position in (0, 2, 2):
        ledger.note("an image was left out", position)
    ledger.note("tools were left out")
    ledger.note("tools were left out")
    assert ledger.lines() == ("message 1, 3: an image was left out", "tools were left out")


def test_an_empty_ledger_has_no_lines():
    assert Ledger().lines() == ()
