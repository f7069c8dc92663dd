"""The desk by keyboard: reading, editing, running, denying, stepping through several; and what must not happen."""

import asyncio
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from agdesk.core.ir.approval import ApprovalDecision, DecidedBy, Scope, Verdict
from agdesk.core.ir.request import ResultSemantic
from agdesk.ui.approval.keys import CardKeys
from tests.ui.approval.requests import FIVE, READ, RUN
from tests.ui.settings.workspaces import press, until

Key = Qt.Key


def letter(widget, text, *, is_repeated=False):
    key = getattr(Key, f"Key_{text.upper()}")
    event = QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier, text, is_repeated)
    QApplication.sendEvent(widget, event)


def focused():
    return QApplication.focusWidget()


def write(text):
    for character in text:
        QApplication.sendEvent(
            focused(), QKeyEvent(QEvent.Type.KeyPress, Key.Key_unknown, Qt.KeyboardModifier.NoModifier, character)
        )


def tab_to(name, *, limit=40):
    """Presses Tab until the control that is called so has the focus."""
    for _ in range(limit):
        if focused().accessibleName() == name:
            return
        press(focused(), Key.Key_Tab)
    raise AssertionError(f"Tab does not come to {name}")


async def test_it_is_hidden_while_nothing_waits(open_desk):
    session = await open_desk()
    assert session.desk.isHidden()
    session.desk.show_requests((READ,))
    assert session.desk.isVisible()
    assert session.desk.list.isHidden() and session.desk.batch.isHidden(), "one call needs no list"
    session.desk.show_requests(())
    assert session.desk.isHidden()
    assert session.heard == []


async def test_a_call_does_not_take_the_keyboard_and_is_said_once(open_desk):
    session = await open_desk(RUN)
    assert focused() is session.window.composer
    session.desk.show_requests((RUN,))
    session.desk.show_requests((RUN,))
    assert len(session.said) == 1
    assert "run_command" in session.said[0] and "Action" in session.said[0] and "ls" in session.said[0]


@pytest.mark.parametrize("key", ["a", "Enter"])
async def test_reading_editing_and_running_by_keyboard(open_desk, key):
    session = await open_desk(READ)
    session.desk.focus_card()
    assert focused() is session.desk.card
    letter(focused(), "e")
    assert focused().accessibleName() == "path"
    press(focused(), Key.Key_End)
    write("x")
    letter(focused(), "a")  # a letter in a field is a letter
    press(focused(), Key.Key_Escape)
    assert focused() is session.desk.card and session.heard == []
    if key == "a":
        letter(focused(), "a")
    else:
        press(focused(), Key.Key_Return)
    assert session.heard == [("read", ApprovalDecision(Verdict.ALLOW, input={"path": "plan.mdxa"}))]
    assert session.heard[0][1].by is DecidedBy.USER
    assert focused() is session.window.composer


async def test_untouched_arguments_run_as_proposed(open_desk):
    session = await open_desk(READ)
    session.desk.focus_card()
    letter(focused(), "a")
    assert session.heard == [("read", ApprovalDecision(Verdict.ALLOW))]


async def test_escape_and_d_on_the_card_deny(open_desk):
    session = await open_desk(READ, RUN)
    session.desk.focus_card()
    press(focused(), Key.Key_Escape)
    letter(focused(), "d")
    assert session.heard == [("read", ApprovalDecision(Verdict.DENY)), ("run", ApprovalDecision(Verdict.DENY))]


async def test_denying_with_a_reason_by_keyboard(open_desk):
    session = await open_desk(RUN)
    session.desk.focus_card()
    tab_to("More answers")
    press(focused(), Key.Key_Space)
    tab_to("Deny with a reason…")
    press(focused(), Key.Key_Return)
    assert focused().accessibleName() == "Reason, which the model is told"
    write("Ask me first")
    tab_to("Deny with this reason")
    press(focused(), Key.Key_Return)
    assert session.heard == [("run", ApprovalDecision(Verdict.DENY, reason="Ask me first"))]


async def test_denying_and_stopping(open_desk):
    session = await open_desk(RUN)
    session.desk.card.answers.more_button.click()
    session.desk.card.answers.stop_button.click()
    assert session.heard == [("run", ApprovalDecision(Verdict.DENY, stop_turn=True))]


async def test_answering_instead(open_desk):
    session = await open_desk(RUN)
    session.desk.focus_card()
    tab_to("More answers")
    press(focused(), Key.Key_Space)
    tab_to("Answer instead…")
    press(focused(), Key.Key_Space)
    write("two files")
    tab_to("Give this answer")
    press(focused(), Key.Key_Return)
    assert session.heard == [("run", ApprovalDecision(Verdict.ANSWER, result="two files"))]


async def test_escape_in_an_answer_goes_back_and_decides_nothing(open_desk):
    session = await open_desk(RUN)
    card = session.desk.card
    card.answers.more_button.click()
    card.answers.reason_button.click()
    press(focused(), Key.Key_Escape)
    assert focused() is card and card.answers.run_button.isVisible() and session.heard == []


async def test_stepping_through_five(open_desk):
    session = await open_desk(*FIVE)
    desk = session.desk
    desk.focus_card()
    letter(focused(), "j")
    letter(focused(), "j")
    assert desk.card.head.place.text() == "3 of 5" and focused() is desk.card
    letter(focused(), "k")
    assert desk.card.head.place.text() == "2 of 5"
    letter(focused(), "k")
    letter(focused(), "k")
    assert desk.card.head.place.text() == "1 of 5", "before the first there is none"
    for key in "adada":
        letter(focused(), key)
    assert [call_id for call_id, _ in session.heard] == [f"call {number}" for number in range(1, 6)]
    assert [decision.verdict for _, decision in session.heard] == [
        Verdict.ALLOW, Verdict.DENY, Verdict.ALLOW, Verdict.DENY, Verdict.ALLOW,
    ]  # fmt: skip
    assert desk.isHidden() and focused() is session.window.composer


async def test_a_key_that_is_held_down_decides_once(open_desk):
    session = await open_desk(*FIVE)
    session.desk.focus_card()
    letter(focused(), "a")
    for _ in range(5):
        letter(focused(), "a", is_repeated=True)
    assert len(session.heard) == 1


async def test_a_double_click_on_run_decides_once(open_desk):
    session = await open_desk(*FIVE)
    button = session.desk.card.answers.run_button
    where = button.mapTo(session.window, button.rect().center())
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    await asyncio.sleep(0.05)  # the next card has its place
    under = session.window.childAt(where)
    assert under is session.desk.card.answers.run_button, "the next one is under the pointer"
    QTest.mouseDClick(under, Qt.MouseButton.LeftButton)
    QTest.mouseRelease(under, Qt.MouseButton.LeftButton)
    assert [call_id for call_id, _ in session.heard] == ["call 1"]


@pytest.mark.parametrize("key", ["a", "d", "e", "Enter", "Escape"])
async def test_no_key_decides_after_a_call_was_withdrawn_under_the_keyboard(open_desk, key):
    session = await open_desk(READ, RUN)
    session.desk.focus_card()
    session.withdraw("read")
    assert focused() is session.desk.card and session.desk.card.request is RUN
    if len(key) == 1:
        letter(focused(), key)
    else:
        press(focused(), Key.Key_Return if key == "Enter" else Key.Key_Escape)
    assert session.heard == []
    expected = session.window.composer if key == "Escape" else session.desk.card
    assert focused() is expected
    session.window.composer.setFocus(Qt.FocusReason.TabFocusReason)
    press(focused(), Key.Key_Backtab)  # the user comes back on purpose, whichever control is the last
    session.desk.focus_card()
    letter(focused(), "a")
    assert session.heard == [("run", ApprovalDecision(Verdict.ALLOW))]


async def test_no_key_decides_where_something_else_than_the_user_put_the_focus(open_desk):
    session = await open_desk(READ)
    session.desk.card.setFocus(Qt.FocusReason.OtherFocusReason)
    letter(focused(), "a")
    press(focused(), Key.Key_Return)
    assert session.heard == [] and focused() is session.desk.card
    press(focused(), Key.Key_Tab)
    press(focused(), Key.Key_Backtab)
    assert focused() is session.desk.card
    letter(focused(), "a")
    assert [call_id for call_id, _ in session.heard] == ["read"]


async def test_no_key_decides_after_the_list_or_a_button_for_all_has_gone_under_the_keyboard(open_desk):
    session = await open_desk(*FIVE)
    session.desk.batch.all_button.setFocus(Qt.FocusReason.TabFocusReason)
    session.withdraw("call 5")
    assert focused() is session.desk.card
    letter(focused(), "a")
    session.desk.list.setFocus(Qt.FocusReason.TabFocusReason)
    for number in (1, 2, 3):
        assert focused() is session.desk.list or number == 1
        session.withdraw(f"call {number}")
    assert focused() is session.desk.card and session.desk.list.isHidden()
    letter(focused(), "a")
    press(focused(), Key.Key_Return)
    assert session.heard == []


async def test_what_is_typed_into_a_call_that_is_withdrawn_decides_nothing(open_desk):
    session = await open_desk(READ, *FIVE)
    session.desk.focus_card()
    letter(focused(), "e")
    session.withdraw("read")
    for character in "jadjkade":
        letter(focused(), character)
    assert session.heard == []
    assert "by itself" in session.said[-1]


async def test_a_withdrawn_call_gives_the_keyboard_back(open_desk):
    session = await open_desk(READ)
    session.desk.focus_card()
    session.withdraw("read")
    assert focused() is session.window.composer


async def test_a_call_that_comes_leaves_the_one_that_is_edited_alone(open_desk):
    session = await open_desk(READ)
    session.desk.focus_card()
    letter(focused(), "e")
    field = focused()
    write("new")
    session.pending = (READ, RUN)
    session.desk.show_requests(session.pending)
    assert focused() is field and "new" in field.toPlainText()
    assert session.desk.card.head.place.text() == "1 of 2"
    session.desk.step(1)
    session.desk.step(-1)
    assert session.desk.card.body.edited == {"path": "newplan.md"}, "a card keeps what was written in it"


async def test_all_factual_all_of_a_tool_until_the_next_action_and_all(open_desk):
    other = tuple(replace(request, call_id=f"other {request.call_id}") for request in FIVE)
    session = await open_desk(*other)
    batch = session.desk.batch
    assert batch.factual_button.text() == "Run all Factual (3)"
    batch.until_action_button.click()
    assert [call_id for call_id, _ in session.heard] == ["other call 1", "other call 2"]
    assert session.desk.card.request.semantic is ResultSemantic.ACTION
    assert batch.until_action_button.isHidden(), "an Action comes next"
    session.desk.list.setCurrentIndex(session.desk.list.calls.index(0))
    batch.tool_button.click()
    assert [call_id for call_id, _ in session.heard[2:]] == ["other call 3", "other call 5"]
    session.pending = FIVE
    session.heard.clear()
    session.desk.show_requests(FIVE)
    session.said.clear()
    batch.all_button.click()
    assert [call_id for call_id, _ in session.heard] == [request.call_id for request in FIVE]
    assert session.said == [], "none of them is asked about again while the others are decided"
    assert {decision for _, decision in session.heard} == {ApprovalDecision(Verdict.ALLOW)}
    assert session.desk.isHidden()


async def test_denying_all(open_desk):
    session = await open_desk(*FIVE)
    session.desk.batch.deny_button.click()
    assert [decision.verdict for _, decision in session.heard] == [Verdict.DENY] * 5


async def test_running_all_stops_at_arguments_that_cannot_run(open_desk):
    session = await open_desk(READ, RUN)
    session.desk.card.body.arguments.form.findChild(type(session.window.composer)).setPlainText("bad")
    session.desk.step(1)
    session.desk.batch.all_button.click()
    assert [call_id for call_id, _ in session.heard] == ["run"]
    assert session.desk.card.request is READ
    assert focused().accessibleDescription() == "This is bad"


async def test_wrong_arguments_are_shown_at_their_field_and_do_not_run(open_desk):
    session = await open_desk(READ)
    session.desk.focus_card()
    letter(focused(), "e")
    field = focused()
    write("bad")
    press(field, Key.Key_Escape)
    letter(focused(), "a")
    assert session.heard == []
    assert focused() is field and field.accessibleDescription() == "This is bad"
    press(field, Key.Key_Delete)
    press(field, Key.Key_Backspace)
    press(field, Key.Key_Escape)
    letter(focused(), "a")
    assert session.heard[0][1].input == {"path": "balan.md"}


async def test_the_effect_of_changed_arguments_is_found_out_anew(open_desk):
    session = await open_desk(READ)
    body, adviser = session.desk.card.body, session.window.adviser
    session.desk.card.edit()
    focused().setPlainText("other.md")
    await until(lambda: adviser.foreseen == [{"path": "other.md"}])
    assert "Finding out" in body.effect.heading.text() and body.effect.facts.isHidden()
    assert body.changes.toPlainText() == '-"path": "plan.md"\n+"path": "other.md"'
    adviser.may_foresee.set()
    await until(lambda: body.effect.facts.toPlainText() == "/foreseen/other.md")
    focused().setPlainText("plan.md")
    await until(lambda: body.effect.facts.toPlainText() == "/home/ada/plan.md")
    assert body.changes.isHidden()


async def test_other_keys_can_be_chosen(open_desk):
    session = await open_desk()
    session.desk.keys = CardKeys(run="R", edit="E", deny="X", next="N", previous="P")
    session.pending = FIVE
    session.desk.show_requests(FIVE)
    session.desk.focus_card()
    letter(focused(), "a")
    letter(focused(), "n")
    letter(focused(), "r")
    letter(focused(), "x")
    assert [(call_id, decision.verdict) for call_id, decision in session.heard] == [
        ("call 2", Verdict.ALLOW),
        ("call 3", Verdict.DENY),
    ]


async def test_closing_the_conversation_decides_nothing(open_desk):
    session = await open_desk(*FIVE)
    session.desk.close_down()
    assert session.heard == []


async def test_it_leaves_room_for_the_transcript(open_desk):
    session = await open_desk(*FIVE)
    for height in (520, 700, 1200):
        session.window.resize(900, height)
        await asyncio.sleep(0.05)
        assert session.desk.height() <= 0.45 * height + 1
        assert session.desk.height() <= 20 * 22.5
        assert session.window.transcript.height() > 100
        assert session.desk.card.answers.run_button.visibleRegion().boundingRect().height() > 20


@pytest.mark.parametrize("scope", [Scope.TURN, Scope.CONVERSATION, Scope.ALWAYS])
async def test_the_rule_of_a_wider_answer_is_shown_before_it_is_saved(open_desk, scope):
    session = await open_desk(READ)
    answers = session.desk.card.answers
    answers.more_button.click()
    answers.scope_buttons[scope].click()
    assert session.heard == [] and answers.rule_pane.isVisible()
    assert "allow builtin:read_file where" in answers.rule_pane.rules.text.toPlainText()
    assert focused() is answers.rule_pane.save_button
    press(focused(), Key.Key_Return)
    assert session.heard == [("read", ApprovalDecision(Verdict.ALLOW, scope, rule_id="rule"))]
    assert session.rules[0].scope is scope and bool(session.rules[0].where) is (scope is not Scope.TURN)
