"""PERF3: a long conversation shows its end at once; what comes before it follows, and nothing is done without it."""

import asyncio

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from agdesk.core.errors import StoreError
from agdesk.core.ir.messages import text_of
from agdesk.core.providers.scripted import text_answer
from agdesk.core.settings.window_state import TabState, WindowState
from agdesk.core.store import loading
from agdesk.ui.widgets.empty_state import EmptyState
from agdesk.ui.widgets.skeleton import Skeleton
from tests.ui.main_window.conftest import REFUSED, end, until

TURNS = 40
SAID = [text for number in range(TURNS) for text in (f"question {number}", f"answer {number}\n\nand more of it")]


class Gate:
    """Holds the rest back until it is opened."""

    def __init__(self, workspace, monkeypatch):
        self.opened = asyncio.Event()
        self.error = None
        self.real = workspace.load_rest
        monkeypatch.setattr(workspace, "load_rest", self.load_rest)

    async def load_rest(self, session, *, before_seq):
        await self.opened.wait()
        if self.error is not None:
            raise self.error
        async for piece in self.real(session, before_seq=before_seq):
            yield piece


@pytest.fixture
def open_long(open_window, monkeypatch):
    """A window over a stored conversation of which the last 20 messages are the end."""
    monkeypatch.setattr(loading, "SHORT_MESSAGES", 10)
    monkeypatch.setattr(loading, "END_MESSAGES", 20)

    async def open_it(*scripts, refused=(), **others):
        answers = [
            (REFUSED,) if number in refused else text_answer(f"answer {number}\n\nand more of it")
            for number in range(TURNS)
        ]
        window, workspace, provider = await open_window(*answers, *scripts, **others)
        session = workspace.open_session(session_id="long")
        for number in range(TURNS):
            await session.submit(f"question {number}")
        await workspace.close_session(session)
        return window, workspace, provider, Gate(workspace, monkeypatch)

    return open_it


async def open_page(window):
    window.open_conversation("long")
    await until(lambda: window.current_tab is not None and window.current_tab.session.id == "long")
    return window.tabs.current


def keys(chat):
    return [message.view.key for message in chat.transcript._model.messages]


def said(chat):
    return [message.source for message in chat.transcript._model.messages]


async def test_the_end_is_there_first_and_the_rest_is_put_before_it(open_long):
    window, workspace, _, gate = await open_long()
    page = await open_page(window)
    chat = page.chat
    assert said(chat) == SAID[-20:]
    assert chat.status_row.cost_button.isHidden(), "what it cost is not known yet"
    assert chat.gauge.reading is None
    gate.opened.set()
    await until(page.loading.done)
    assert said(chat) == SAID
    assert chat.transcript.is_following
    assert chat.session.is_whole
    assert chat.session.cost.request_count == TURNS
    assert not chat.status_row.cost_button.isHidden()
    assert [text_of(m.content) for m in chat.session.next_request("m").messages] == SAID
    await end(window, workspace)


async def test_what_is_sent_at_once_waits_and_goes_with_everything_before_it(open_long):
    window, workspace, provider, gate = await open_long(text_answer("to the point"))
    page = await open_page(window)
    chat, sent = page.chat, len(provider.requests)
    QTest.keyClicks(chat.composer, "and now")
    QTest.keyClick(chat.composer, Qt.Key.Key_Return)
    assert [text_of(item.content) for item in chat.session.queue.items] == ["and now"]
    assert len(provider.requests) == sent
    gate.opened.set()
    await until(lambda: len(keys(chat)) == 2 * TURNS + 2 and page.activity == "idle")
    assert [text_of(m.content) for m in provider.requests[-1].messages] == [*SAID, "and now"]
    assert said(chat) == [*SAID, "and now", "to the point"]
    await end(window, workspace)


async def test_who_scrolls_up_meanwhile_sees_the_same_when_the_rest_comes(open_long):
    window, workspace, _, gate = await open_long()
    page = await open_page(window)
    transcript = page.chat.transcript
    await until(lambda: transcript.verticalScrollBar().maximum() > 0)
    transcript.verticalScrollBar().setValue(0)
    before = transcript.place()
    gate.opened.set()
    await until(page.loading.done)
    await asyncio.sleep(0.05)
    assert transcript.place() == before
    assert transcript.verticalScrollBar().value() > 0, "there is something above now"
    assert not transcript.is_following
    await end(window, workspace)


async def test_what_needs_all_of_it_says_that_it_is_not_there(open_long):
    window, workspace, _, gate = await open_long()
    page = await open_page(window)
    chat = page.chat
    QGuiApplication.clipboard().setText("old")
    window.actions_registry["chat.copy_markdown"].trigger()
    assert QGuiApplication.clipboard().text() == "old"
    assert "still being read" in chat.notice.label.text()
    chat.branches.when_whole(lambda: pytest.fail("it is not whole"))
    chat.branches.regenerate()
    chat.branches.edit()
    QTest.keyClick(chat.composer, Qt.Key.Key_Return)
    assert "still being read" in chat.notice.label.text()
    assert chat.composer.toPlainText() == SAID[-2], "the edit is not lost"
    gate.opened.set()
    await until(page.loading.done)
    assert chat.notice.isHidden()
    window.actions_registry["chat.copy_markdown"].trigger()
    assert QGuiApplication.clipboard().text().count("## ") == 2 * TURNS
    await end(window, workspace)


async def test_a_place_far_up_is_shown_at_once_and_not_the_end(open_long, open_window):
    window, workspace, _, gate = await open_long()
    far_up = keys_of(workspace)[5]
    state = WindowState(tabs=(TabState("long", scroll_place=f"{far_up}#0#0"),), current="long")
    window.hide()
    again, _, _ = await open_window(state=state)
    page = again.tabs.current
    await until(lambda: isinstance(page.currentWidget(), Skeleton))
    gate.opened.set()
    await until(lambda: page.chat is not None)
    assert page.chat.transcript.place().key == far_up
    assert not page.chat.transcript.is_following
    await window.finish()
    await end(again, workspace)


def keys_of(workspace):
    return [node.id for node in workspace.store.load("long").tree.path()]


async def test_a_rest_that_cannot_be_read_closes_the_conversation_and_it_is_tried_again(open_long):
    window, workspace, _, gate = await open_long()
    page = await open_page(window)
    QTest.keyClicks(page.chat.composer, "a draft")
    gate.error = StoreError("The database is locked", "Close the other program.")
    gate.opened.set()
    await until(lambda: isinstance(page.currentWidget(), EmptyState))
    assert "long" not in workspace.sessions
    assert window.current_tab is None
    gate.error = None
    QTest.mouseClick(page.currentWidget().buttons[0], Qt.MouseButton.LeftButton)
    await until(lambda: page.chat is not None and page.chat.session.is_whole)
    assert said(page.chat) == SAID
    assert page.chat.composer.toPlainText() == "a draft"
    await end(window, workspace)


async def test_a_tab_that_is_closed_before_the_rest_is_there_leaves_nothing_behind(open_long):
    window, workspace, _, _ = await open_long()
    page = await open_page(window)
    loading_task = page.loading
    window.actions_registry["tab.close"].trigger()
    await until(loading_task.done)
    await until(lambda: "long" not in workspace.sessions)
    assert window.desk.find("long") is None
    await end(window, workspace)


async def test_versions_of_messages_far_up_have_their_arrows_and_old_errors_no_button(open_long):
    window, workspace, _, gate = await open_long(text_answer("other"), refused=(2, TURNS - 11))
    session, first = await workspace.open_conversation("long")
    async for _ in gate.real(session, before_seq=first[0].seq):
        pass
    session.complete()
    leaf_id, edited_id = session.branches.tree.leaf_id, session.branches.tree.path()[4].id
    await session.edit(edited_id, "said otherwise")
    await session.select(leaf_id)
    await workspace.close_session(session)
    page = await open_page(window)
    gate.opened.set()
    await until(page.loading.done)
    messages = {message.view.key: message for message in page.chat.transcript._model.messages}
    assert messages[page.chat.feed.key_of(edited_id)].place == (1, 2)
    errors = [message.error for message in messages.values() if message.error is not None]
    assert len(errors) == 2
    assert not any(message.steps for message in messages.values()), "what failed is not the last word"
    await end(window, workspace)
