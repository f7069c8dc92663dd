"""CHAT10: finding in a conversation, laid out or not, and while it grows."""

import pytest
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QLabel

from agdesk.ui.theme import apply_theme, current_theme
from agdesk.ui.theme.contrast import SHAPE_RATIO, TEXT_RATIO, contrast
from agdesk.ui.widgets.transcript import BlockView, ErrorView, MessageView, VirtualTranscript
from agdesk.ui.widgets.transcript.finding.parts import PAGE_CHARS
from agdesk.ui.widgets.transcript.pane import TextPane
from tests.ui.widgets.transcript.pages import add, add_many, begin, panes, settle, shown_text


@pytest.fixture
def finder(transcript):
    yield transcript.finder
    transcript.finder.stop()


def find(qtbot, transcript: VirtualTranscript, text: str, *, is_case_sensitive: bool = False) -> tuple[int, int]:
    """Number and total once everything is searched."""
    transcript.finder.find(text, is_case_sensitive=is_case_sensitive)
    return await_end(qtbot, transcript)


def await_end(qtbot, transcript: VirtualTranscript) -> tuple[int, int]:
    finder = transcript.finder
    qtbot.waitUntil(lambda: finder.progress == 1.0 and not finder._timer.isActive(), timeout=40_000)
    settle()
    return finder.number, finder.total


def marks(pane: TextPane) -> list[tuple[str, str]]:
    """Every marked text of a pane and its background."""
    found = []
    for selection in pane.extraSelections():
        cursor: QTextCursor = selection.cursor
        found.append((cursor.selectedText(), selection.format.background().color().name()))
    return found


def all_marks(transcript: VirtualTranscript) -> list[tuple[str, str]]:
    return [mark for pane in panes(transcript) for mark in marks(pane)]


def current_text(transcript: VirtualTranscript) -> str:
    """What the strong mark stands on, with a little of what is around it."""
    strong = current_theme().tokens.warning.lower()
    for pane in panes(transcript):
        for selection in pane.extraSelections():
            if selection.format.background().color().name() == strong:
                cursor = selection.cursor
                middle = pane.viewport().mapTo(transcript.viewport(), pane.cursorRect(cursor).center()).y()
                assert 0 <= middle < transcript.viewport().height(), "it is on the screen"
                return cursor.block().text()
    return ""


def test_messages_that_were_never_laid_out_are_searched(qtbot, transcript, finder):
    add_many(transcript, 200)
    assert find(qtbot, transcript, "text of 17 ") == (1, 40)
    assert current_text(transcript).startswith("text of 17")
    assert {color for _, color in all_marks(transcript)} >= {current_theme().tokens.match.lower()}
    assert sum(message.is_open for message in transcript._model.messages) < 60


def test_next_and_previous_go_round(qtbot, transcript, finder):
    add_many(transcript, 60)
    transcript.verticalScrollBar().setValue(0)
    assert find(qtbot, transcript, "question 1") == (1, 5), "12, 14, 16, 18 and 10"
    seen = [current_text(transcript)]
    for _ in range(5):
        finder.step(1)
        settle()
        seen.append(current_text(transcript))
    assert seen == [f"question {number}" for number in (10, 12, 14, 16, 18, 10)]
    finder.step(-1)
    settle()
    assert (finder.number, current_text(transcript)) == (5, "question 18")


def test_the_first_match_shown_is_that_below_the_top_of_the_screen(qtbot, transcript, finder):
    add_many(transcript, 60)
    transcript.verticalScrollBar().setValue(transcript.verticalScrollBar().maximum() // 2)
    settle()
    top = int(shown_text(transcript).split("text of ")[1].split()[0])
    number, total = find(qtbot, transcript, "question")
    assert total == 30
    assert top - 2 <= int(current_text(transcript).split()[1]) <= top + 2
    more, _ = find(qtbot, transcript, "question ")
    assert more == number, "typing on stays where one is"


def test_nothing_found_is_said_and_nothing_is_marked(qtbot, transcript, finder):
    add_many(transcript, 20)
    assert find(qtbot, transcript, "answer")[1] == 10
    assert find(qtbot, transcript, "nowhere") == (0, 0)
    assert all_marks(transcript) == []
    finder.step(1)
    assert finder.number == 0


def test_case_matters_if_it_is_asked_for(qtbot, transcript, finder):
    add(transcript, "m", "Word word WORD")
    assert find(qtbot, transcript, "word")[1] == 3
    assert find(qtbot, transcript, "Word", is_case_sensitive=True)[1] == 1
    assert find(qtbot, transcript, "word")[1] == 3


def test_a_match_in_thinking_is_unfolded_when_it_is_shown(qtbot, transcript, finder):
    transcript.append_message(MessageView("m", "assistant", "model"))
    transcript.replace_message("m", (BlockView("thinking", "a secret plan", 1.0), BlockView("text", "the answer")))
    settle()
    assert "secret" not in shown_text(transcript)
    assert find(qtbot, transcript, "secret") == (1, 1)
    assert current_text(transcript) == "a secret plan"


def test_a_match_in_an_error_is_selected_there(qtbot, transcript, finder):
    add(transcript, "m", "partial")
    transcript.set_error("m", ErrorView("It failed", "status 500: overloaded", "Try again."))
    settle()
    assert find(qtbot, transcript, "OVERLOADED") == (1, 1)
    assert [label.selectedText() for label in transcript.findChildren(QLabel) if label.hasSelectedText()] == [
        "overloaded"
    ]
    finder.stop()
    assert not any(label.hasSelectedText() for label in transcript.findChildren(QLabel))


def test_the_count_grows_with_an_answer_that_streams(qtbot, transcript, finder):
    add(transcript, "q", "say needle", role="user")
    begin(transcript)
    assert find(qtbot, transcript, "needle") == (1, 1)
    transcript.append_text("live", 0, "a nee")
    transcript.append_text("live", 0, "dle and a needle\n\n")
    settle()
    assert await_end(qtbot, transcript) == (1, 3)
    transcript.append_text("live", 0, "x" * (2 * PAGE_CHARS) + " needle")
    transcript.end_block("live", 0)
    settle()
    assert await_end(qtbot, transcript)[1] == 4
    finder.step(-1)
    settle()
    assert finder.number == 4
    qtbot.waitUntil(lambda: current_text(transcript).endswith("needle"), timeout=20_000)


def test_a_message_that_goes_takes_its_matches_along(qtbot, transcript, finder):
    add_many(transcript, 20)
    assert find(qtbot, transcript, "question 18") == (1, 1)
    transcript.drop_after("m9")
    settle()
    assert await_end(qtbot, transcript) == (0, 0)
    transcript.replace_message("m9", (BlockView("text", "question 18 again, question 18"),))
    settle()
    assert await_end(qtbot, transcript)[1] == 2


@pytest.mark.parametrize("end", ["\n\n", "\r\n\r\n"])
def test_in_a_very_long_answer_every_match_is_shown_where_it_is(qtbot, transcript, finder, monkeypatch, end):
    monkeypatch.setattr("agdesk.ui.widgets.transcript.message.CUT_AT_ONCE_CHARS", 8192)
    text = end.join(
        f"- item **{number}** of a list" if number % 3 else f"```py{end}needle_{number} = {number}{end}```"
        for number in range(3000)
    )
    add(transcript, "m", text)
    settle()
    transcript.verticalScrollBar().setValue(0)
    assert find(qtbot, transcript, "needle_2997") == (1, 1)
    qtbot.waitUntil(lambda: "2997" in current_text(transcript), timeout=60_000)
    number, total = find(qtbot, transcript, "needle")
    assert (number, total) == (1000, 1000)
    finder.step(-400)
    settle()
    assert current_text(transcript) == f"needle_{3 * 599} = {3 * 599}"
    assert find(qtbot, transcript, "item **1499")[1] == 1
    assert "1499" in current_text(transcript), "what is only in the source marks its paragraph"


def test_a_long_question_is_searched_to_its_end(qtbot, transcript, finder):
    add(transcript, "q", "word " * 5000 + "needle", role="user")
    settle()
    transcript.verticalScrollBar().setValue(0)
    assert find(qtbot, transcript, "needle") == (1, 1)
    assert current_text(transcript).endswith("needle")


def test_marks_follow_the_rows_that_scroll_into_view_and_go_when_it_ends(qtbot, transcript, finder):
    add_many(transcript, 60)
    find(qtbot, transcript, "answer")
    for value in (0, transcript.verticalScrollBar().maximum()):
        transcript.verticalScrollBar().setValue(value)
        settle()
        assert {text for text, _ in all_marks(transcript)} == {"answer"}
    finder.stop()
    assert all_marks(transcript) == []
    transcript.verticalScrollBar().setValue(0)
    settle()
    assert all_marks(transcript) == []


def test_characters_beyond_the_first_plane_shift_no_mark(qtbot, transcript, finder):
    add(transcript, "m", "🙂🙂 needle 🙂 中文 needle")
    find(qtbot, transcript, "needle")
    assert [text for text, _ in all_marks(transcript)] == ["needle", "needle"]


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_marks_can_be_told_from_the_text_and_read(qapp, qtbot, transcript, finder, mode):
    apply_theme(qapp, mode)
    add(transcript, "m", "one word and another word")
    find(qtbot, transcript, "word")
    tokens = current_theme().tokens
    (pane,) = panes(transcript)
    selections = [QTextCharFormat(selection.format) for selection in pane.extraSelections()]
    styles = {style.background().color().name(): style for style in selections}
    assert set(styles) == {tokens.match.lower(), tokens.warning.lower()}
    for background, style in styles.items():
        assert contrast(style.foreground().color().name().upper(), background.upper()) >= TEXT_RATIO
    ordinary = styles[tokens.match.lower()]
    assert ordinary.fontUnderline()
    for ground in (tokens.surface, tokens.user_block, tokens.code, tokens.match):
        assert contrast(ordinary.underlineColor().name().upper(), ground) >= SHAPE_RATIO
        if ground != tokens.match:
            assert contrast(tokens.warning, ground) >= SHAPE_RATIO
    apply_theme(qapp, "light")


def test_what_is_searched_is_searched_in_pieces(qtbot, transcript, finder):
    add(transcript, "m", "word and 中文 Straße " * 100_000)
    finder.find("word")
    assert finder.progress < 1.0, "one call does not do it all"
    assert await_end(qtbot, transcript)[1] == 100_000
