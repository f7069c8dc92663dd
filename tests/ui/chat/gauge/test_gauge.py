"""The context gauge in a conversation: what it shows, what it follows, and what explains it (CHAT12)."""

import asyncio

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from agdesk.core.ir.messages import user
from agdesk.core.ir.response import Usage
from agdesk.core.ir.tokens import estimate_text_tokens
from agdesk.core.providers.scripted import text_answer
from agdesk.core.trace.events import TraceRecord, TurnStarted
from agdesk.ui.bridge import DrainTimer
from agdesk.ui.chat import ChatTab
from agdesk.ui.qt_async import emission
from agdesk.ui.theme import apply_theme
from tests.ui.chat.ledger.conversations import ANTHROPIC, OPENAI, conversation
from tests.ui.main_window.conftest import until


@pytest.fixture(autouse=True)
def theme(qapp):
    apply_theme(qapp, "light")


@pytest.fixture
def open_tab(qtbot, tmp_path):
    """A conversation over the real rows of providers, whose gauge has its first reading; ``stored``: which one."""
    opened = []

    async def opening(*scripts, model_ref=OPENAI, stored=""):
        workspace, session = conversation(tmp_path, *scripts, model_ref=model_ref)
        await asyncio.to_thread(workspace.load_models)
        records: tuple[TraceRecord, ...] = ()
        if stored:
            await workspace.close_session(session)
            session, records = await workspace.open_conversation(stored)
        tab = ChatTab(workspace, session, DrainTimer())
        qtbot.addWidget(tab)
        tab.show_stored(records)
        tab.resize(900, 800)
        tab.show()
        tab.activateWindow()
        opened.append(tab)
        await until(lambda: QApplication.activeWindow() is tab and tab.gauge.reading is not None)
        return tab, workspace, session

    yield opening
    for tab in opened:
        tab.close_session()


async def ask(tab, text):
    """Sends a message and waits until its answer is counted."""
    async with asyncio.TaskGroup() as group:
        group.create_task(emission(tab.turn_ended, timeout_s=15))
        await asyncio.sleep(0)
        tab.send(text)
    await settled(tab)


async def settled(tab):
    """Waits until the gauge has followed everything."""
    await until(lambda: not tab.gauge._timer.isActive() and not tab.gauge._waiting)


def plain(text):
    return text.replace("\u2009", " ")


async def test_an_empty_conversation_takes_nothing_of_the_window(open_tab):
    tab, workspace, _ = await open_tab()
    assert plain(tab.gauge.button.words) == "0 %"
    assert plain(tab.gauge.button.accessibleName()) == "Context: 0 of 400 000 tokens · 0 %"
    await workspace.aclose()


async def test_it_follows_what_is_written_without_a_reading_for_every_key(open_tab):
    tab, workspace, _ = await open_tab()
    readings = []
    tab.gauge.changed.connect(lambda: readings.append(tab.gauge.reading))
    QTest.keyClicks(tab.composer, "x" * 300)
    assert readings == []
    await settled(tab)
    assert tab.gauge.reading.parts.draft == tab.gauge.reading.total_tokens == 100
    assert len(readings) < 10
    await workspace.aclose()


async def test_after_a_turn_it_shows_what_was_reported_and_after_a_restart_too(open_tab):
    tab, workspace, session = await open_tab(
        text_answer("one", usage=Usage(40_000, 100)), text_answer("two", usage=Usage(339_900, 100))
    )
    await ask(tab, "x" * 300)
    assert plain(tab.gauge.button.words) == "10 %"
    session.system_prompt = "Be brief. " * 30
    await settled(tab)
    assert plain(tab.gauge.button.words) == "10 %" and tab.gauge.reading.added_tokens == 100
    await ask(tab, "y" * 300)
    live = tab.gauge.reading
    assert plain(tab.gauge.button.words) == "85 % filling up"
    assert (live.reported_tokens, live.is_ratio_measured, live.ratio) == (340_000, True, 1.0)
    tab.close_session()
    session_id = session.id
    await workspace.aclose()
    again, workspace, _ = await open_tab(stored=session_id)
    await settled(again)
    assert again.gauge.reading == live
    await workspace.aclose()


async def test_another_branch_and_another_model_are_followed(open_tab):
    tab, workspace, session = await open_tab(
        text_answer("one", usage=Usage(100, 10)), text_answer("two", usage=Usage(900, 10))
    )
    await ask(tab, "question")
    first = session.branches.tree.leaf_id
    async with asyncio.TaskGroup() as group:
        group.create_task(emission(tab.turn_ended, timeout_s=15))
        await asyncio.sleep(0)
        session.regenerate()
    await settled(tab)
    assert tab.gauge.reading.reported_tokens == 910
    await session.select(first)
    await settled(tab)
    assert (tab.gauge.reading.reported_tokens, tab.gauge.reading.window_tokens) == (110, 400_000)
    tab.switch.choose(ANTHROPIC)
    await until(lambda: session.model_ref == ANTHROPIC)
    await settled(tab)
    reading = tab.gauge.reading
    assert reading.window_tokens not in (None, 400_000)
    assert (reading.reported_by, reading.is_ratio_measured) == (OPENAI, False)
    await workspace.aclose()


async def test_what_was_deleted_is_not_counted_any_more_and_its_figures_are_gone(open_tab):
    tab, workspace, session = await open_tab(text_answer("Hello.", usage=Usage(900, 90)))
    await ask(tab, "hi")
    assert tab.gauge.reading.total_tokens == 990
    await session.branches.delete(session.branches.tree.leaf_id)
    await settled(tab)
    assert (tab.gauge.reading.total_tokens, tab.gauge.reading.reported_tokens) == (1, None)
    assert tab.status_row.line.text() == "Ready"
    await workspace.aclose()


async def test_an_unknown_window_gives_a_count_and_no_share(open_tab):
    tab, workspace, _ = await open_tab(model_ref="openai/no-such-model")
    tab.composer.setPlainText("x" * 300)
    await settled(tab)
    assert plain(tab.gauge.button.words) == "~100 tokens"
    assert plain(tab.gauge.button.accessibleName()) == "Context: ~100 tokens, window unknown"
    await workspace.correct_model("openai/no-such-model", "max_context_window", 200)
    await settled(tab)
    assert plain(tab.gauge.button.words) == "50 %"
    tab.gauge.open()
    assert plain(tab.gauge.sheet.sources[2].text()) == "Window: 200 tokens (you)."
    await workspace.aclose()


@pytest.mark.parametrize(
    ("tokens", "words", "sentence"),
    [
        (100, "50 %", ""),
        (170, "85 % filling up", "The window is filling up"),
        (196, "98 % nearly full", "The window is nearly full"),
        (300, "150 % too long", "The next request is longer than the model takes"),
    ],
)
async def test_how_full_it_is_stands_in_words_too(tokens, words, sentence, open_tab):
    tab, workspace, _ = await open_tab(model_ref="openai/no-such-model")
    await workspace.correct_model("openai/no-such-model", "max_context_window", 200)
    tab.composer.setPlainText("x" * 3 * tokens)
    await settled(tab)
    assert plain(tab.gauge.button.words) == words
    tab.gauge.open()
    shown = [label for label in (tab.gauge.sheet.warning, tab.gauge.sheet.danger) if label.isVisible()]
    assert [label.text().startswith(sentence) for label in shown] == [True] * bool(sentence)
    await workspace.aclose()


async def test_the_sheet_tells_the_parts_their_sum_and_where_the_number_comes_from(open_tab):
    tab, workspace, session = await open_tab(text_answer("one", usage=Usage(1000, 200)))
    session.system_prompt = "y" * 300
    await ask(tab, "question")
    tab.composer.setPlainText("x" * 300)
    await settled(tab)
    QTest.mouseClick(tab.gauge.button, Qt.MouseButton.LeftButton)
    sheet = tab.gauge.sheet
    assert sheet is not None and sheet.isAncestorOf(tab.focusWidget())
    figures = [int(figure.text().replace("\u2009", "")) for figure in sheet.figures]
    assert sum(figures) == int(sheet.sum.text().replace("\u2009", "")) == 1300
    assert figures == list(tab.gauge.reading.parts) and figures[-1] == 100
    assert plain(sheet.whole.text()) == "~1 300 of 400 000 tokens · <1 %"
    assert [plain(source.text()) for source in sheet.sources] == [
        f"Reported: 1 200, the last input and answer of {OPENAI}.",
        f"Since then, estimated: ~100, by the table {estimate_text_tokens('x' * 300)} × 0.25, assumed until two answers"
        " of the model have told.",
        "Window: 400 000 tokens (catalogue).",
    ]
    assert "Draft: 100" in sheet.bar.accessibleName()
    tab.composer.setPlainText("x" * 600)
    await settled(tab)
    assert sheet.figures[-1].text() == "200"
    await workspace.aclose()


async def test_enter_opens_the_sheet_and_escape_gives_the_keyboard_back(open_tab):
    tab, workspace, _ = await open_tab()
    tab.gauge.button.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(tab.gauge.button, Qt.Key.Key_Return)
    assert tab.gauge.is_open
    tab.gauge.open()  # once is enough
    QTest.keyClick(tab.focusWidget(), Qt.Key.Key_Escape)
    assert not tab.gauge.is_open and tab.focusWidget() is tab.gauge.button
    await workspace.aclose()


async def test_closing_the_conversation_closes_the_sheet(open_tab):
    tab, workspace, _ = await open_tab()
    tab.gauge.open()
    sheet = tab.gauge.sheet
    tab.close_session()
    assert not sheet.isVisible()
    tab.gauge.refresh_soon()
    tab.gauge.stop_listening()
    await workspace.aclose()


async def test_a_long_conversation_is_measured_a_piece_at_a_time(open_tab):
    tab, workspace, session = await open_tab()
    readings = []
    tab.gauge.changed.connect(lambda: readings.append(tab.gauge.reading.parts.text))
    for number in range(250):
        session.recorder.turn_id = f"turn-{number}"
        session.recorder.emit(TurnStarted(user("xxx"), OPENAI))
    await until(lambda: tab.gauge._waiting)
    tab.gauge._work()
    assert len(tab.gauge._waiting) >= 150 and readings == []
    await settled(tab)
    assert readings[-1] == 250
    await workspace.aclose()
