"""The panel as it is used: it loads, follows, filters, shows, copies, and lets go."""

import asyncio
import json
import shlex
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from agdesk.core.errors import StoreError
from agdesk.core.ir import stream as ev
from agdesk.core.providers.scripted import text_answer
from agdesk.core.trace.events import RequestPrepared, StreamEventReceived, TurnCompleted
from agdesk.core.trace.recorder import RequestTrace
from agdesk.core.trace.wire import FrameKind, FrameReceived, RequestSent
from agdesk.ui.inspector import InspectorPanel
from agdesk.ui.inspector import pages as pages_module
from agdesk.ui.inspector.columns import Column
from agdesk.ui.inspector.pages import Page
from agdesk.ui.inspector.states import State
from agdesk.ui.theme import apply_theme
from tests.fakes.workspace import scripted_workspace
from tests.ui.inspector.fakes import KeptTraces, session, until
from tests.ui.inspector.traces import BODY, troubled_turn, whole_turn

REQUEST_BODY = b'{"model": "m"}'


@pytest.fixture
def kept(qapp):
    apply_theme(qapp, "light")
    trace = whole_turn(30)
    return KeptTraces({"s": trace.records}, {"req-1": bytes(trace.body)}, {BODY.sha256: REQUEST_BODY})


@pytest.fixture
def panel(qtbot, kept):
    widget = InspectorPanel(kept)
    qtbot.addWidget(widget)
    widget.resize(520, 700)
    widget.show()
    yield widget
    widget.hide()


async def shown(panel, chat):
    """The panel with a session whose stored records it has loaded."""
    panel.show_session(chat)
    await until(lambda: panel._feed is not None and panel._feed.is_loaded)


def select(panel, name):
    """Chooses the row of the first record of that kind, and gives its number."""
    records = panel.view.model().records
    number = next(n for n in range(len(records)) if records.kind(n).name == name)
    panel.view.setCurrentIndex(panel.view.model().find(number))
    return number


def choose_page(panel, page):
    tabs = panel.detail.tabs
    names = [tabs.tabText(place) for place in range(tabs.count())]
    tabs.setCurrentIndex(names.index(page.name.capitalize()))


def emit_delta(chat, text="live", count=1):
    chat.recorder.turn_id = "turn-1"
    for _ in range(count):
        chat.recorder.emit_for("req-1", StreamEventReceived(None, ev.TextDelta(text, 0)))


async def test_stored_and_live_records_come_once_and_in_order(panel, kept):
    chat = session(last_seq=len(kept.records["s"]))
    stored = len(kept.records["s"])
    panel.show_session(chat)
    emit_delta(chat)  # while it loads
    await until(lambda: panel._feed.is_loaded)
    emit_delta(chat, count=3)
    await until(lambda: len(panel.view.model().records) == stored + 4)
    assert list(panel.view.model().records.seqs) == list(range(1, stored + 5))
    assert panel.states.state is State.FULL


async def test_a_record_that_is_stored_and_comes_live_is_shown_once(panel, kept):
    chat = session(last_seq=len(kept.records["s"]) - 2)
    panel.show_session(chat)
    emit_delta(chat, count=3)  # the first two have the seq of stored ones
    await until(lambda: panel._feed.is_loaded)
    assert list(panel.view.model().records.seqs) == list(range(1, len(kept.records["s"]) + 2))


async def test_a_conversation_without_records_says_so_until_the_first(panel):
    chat = session("new")
    await shown(panel, chat)
    assert panel.states.state is State.EMPTY
    assert panel.states.message.text() == "Nothing was sent yet in this conversation."
    assert panel.figures.text() == ""
    assert panel.detail.isHidden()
    emit_delta(chat)
    await until(lambda: panel.states.state is State.FULL)
    assert panel.detail.isVisible()
    assert panel.figures.text()


async def test_loading_is_said_when_it_takes_a_while(panel, kept):
    kept.gate = asyncio.Event()
    panel.show_session(session())
    assert panel.states.state is State.EMPTY
    await until(lambda: panel.states.state is State.LOADING)
    kept.gate.set()
    await until(lambda: panel.states.state is State.FULL)


async def test_a_trace_that_cannot_be_read_is_an_error_with_another_try(panel, kept):
    kept.records["s"] = []
    kept.error = StoreError("The trace cannot be read.", "The disk is gone.")
    panel.show_session(session())
    await until(lambda: panel.states.state is State.ERROR)
    assert panel.states.message.text() == "The trace cannot be read."
    kept.error = None
    kept.records["s"] = whole_turn(2).records
    panel.states.button.click()
    await until(lambda: panel.states.state is State.FULL)


async def test_another_session_ends_what_was_loading(panel, kept):
    kept.gate = asyncio.Event()
    panel.show_session(session())
    await until(lambda: kept.asked == ["s"])
    panel.show_session(session("other"))
    await until(lambda: "s" in kept.ended)
    kept.gate.set()
    await until(lambda: panel._feed.is_loaded)
    assert len(panel.view.model().records) == 0


async def test_a_hidden_panel_holds_nothing_and_listens_to_nothing(panel, kept):
    chat = session(last_seq=len(kept.records["s"]))
    await shown(panel, chat)
    panel.hide()
    assert panel.view.model() is None
    for emitter in (chat.records, chat.recorder.bodies, chat.recorder.blobs):
        assert len(emitter._subscribers) == (emitter is chat.records), "the session itself follows its records"
    asked = len(kept.asked)
    panel.show_session(session("other"))
    assert len(kept.asked) == asked
    panel.show()
    await until(lambda: kept.asked[asked:] == ["other"])
    panel.show_session(None)
    assert panel.view.model() is None


async def test_it_follows_the_end_and_stays_where_one_has_scrolled_to(panel, kept):
    chat = session(last_seq=len(kept.records["s"]))
    await shown(panel, chat)
    view = panel.view
    assert view.isExpanded(view.model().index(0, 0)) and view.is_at_end
    view.scrollToTop()
    panel.resize(520, 240)
    await until(lambda: not view.is_at_end)
    count = len(view.model().records)
    for _ in range(40):
        chat.recorder.turn_id = "turn-1"
        chat.recorder.emit(TurnCompleted())
    await until(lambda: len(view.model().records) == count + 40)
    assert view.verticalScrollBar().value() == 0 and not view.is_at_end
    view.scrollToBottom()
    for _ in range(10):
        chat.recorder.emit(TurnCompleted())
    await until(lambda: len(view.model().records) == count + 50)
    assert view.is_at_end


async def test_a_chosen_row_stays_chosen_while_records_come(panel, kept):
    chat = session(last_seq=len(kept.records["s"]))
    await shown(panel, chat)
    number = select(panel, "content_block_start")
    for _ in range(5):
        emit_delta(chat, count=7)
        count = len(panel.view.model().records)
        await until(lambda count=count: len(panel.view.model().records) > count)
        assert panel.view.model().record_span(panel.view.currentIndex())[1] == number


async def test_a_chosen_frame_is_still_chosen_when_its_event_comes_later(panel, kept):
    chat = session("new")
    chat.recorder.turn_id = "turn-1"
    await shown(panel, chat)
    seq = chat.recorder.emit_for("req-1", FrameReceived(0, 5, "", FrameKind.DATA))
    await until(lambda: len(panel.view.model().records) == 1)
    panel.view.setCurrentIndex(panel.view.model().find(0))
    chat.recorder.emit_for("req-1", StreamEventReceived(seq, ev.TextDelta("late", 0)))
    await until(lambda: len(panel.view.model().records) == 2)
    assert panel.view.currentIndex().data() == "text_delta"


async def test_the_raw_page_has_the_bytes_that_came_by_and_those_that_are_stored(panel, kept):
    chat = session(last_seq=len(kept.records["s"]))
    await shown(panel, chat)
    select(panel, "text_delta")
    choose_page(panel, Page.RAW)
    await until(lambda: panel.detail.text == 'data: {"text": "word0 "}\n\n')
    chat.recorder.turn_id = "turn-2"
    trace = RequestTrace(chat.recorder, "req-2")
    trace.body(b"data: l\xc3\xa4ve\n\n")
    trace.frame_seq = trace.emit(FrameReceived(0, 13, "", FrameKind.DATA))
    trace.emit(StreamEventReceived(trace.frame_seq, ev.ThinkingDelta("x", 0)))
    await until(lambda: panel.view.model().records.kind(len(panel.view.model().records) - 1).name == "thinking_delta")
    select(panel, "thinking_delta")
    await until(lambda: panel.detail.text == "data: läve\n\n")


async def test_the_bytes_of_a_request_that_began_before_are_taken_from_the_store(panel, kept, monkeypatch):
    chat = session("new")
    monkeypatch.setattr(type(chat), "is_running", True)
    await shown(panel, chat)
    kept.bodies["req-1"] = b"data: 1\n\ndata: 2\n\n"
    trace = RequestTrace(chat.recorder, "req-1")
    trace.body(b"data: 2\n\n")
    trace.emit(FrameReceived(9, 18, "", FrameKind.DATA))
    await until(lambda: len(panel.view.model().records) == 1)
    select(panel, "frame_received")
    choose_page(panel, Page.RAW)
    await until(lambda: panel.detail.text == "data: 2\n\n")


async def test_a_request_is_copied_as_a_curl_command_with_its_providers_variable(panel, kept):
    await shown(panel, session())
    select(panel, "text_delta")  # any row of the request
    panel.commands.copy_curl.trigger()
    await until(lambda: panel.status.text() == "Copied as cURL.")
    words = shlex.split(QApplication.clipboard().text())
    assert words[:4] == ["curl", "--request", "POST", "https://api.example/v1/chat"]
    assert "authorization: Bearer $TEST_API_KEY" in words
    assert words[-2:] == ["--data-binary", REQUEST_BODY.decode()]
    assert panel.status.accessibleName() == "Copied as cURL."


async def test_a_command_without_its_body_is_not_copied(panel, kept):
    kept.blobs.clear()
    await shown(panel, session())
    QApplication.clipboard().setText("before")
    select(panel, "request_sent")
    panel.commands.copy_curl.trigger()
    await until(lambda: "not kept" in panel.status.text())
    assert QApplication.clipboard().text() == "before"


async def test_rows_outside_a_request_offer_no_curl_command(panel, kept):
    await shown(panel, session())
    select(panel, "turn_completed")
    assert not panel.commands.copy_curl.isEnabled()
    select(panel, "request_sent")
    assert panel.commands.copy_curl.isEnabled()


async def test_a_row_is_copied_with_ctrl_c_and_as_json_by_its_action(qtbot, panel, kept):
    await shown(panel, session())
    number = select(panel, "request_sent")
    qtbot.keyClick(panel.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text().split("\t")[0] == "request_sent"
    panel.commands.copy_json.trigger()
    await until(lambda: panel.status.text() == "Copied as JSON.")
    assert json.loads(QApplication.clipboard().text())["method"] == "POST"
    assert isinstance(panel.view.model().records.record(number).payload, RequestSent)


async def test_enter_opens_and_closes_a_row_and_goes_on_to_the_detail(qtbot, panel, kept):
    await shown(panel, session())
    view = panel.view
    number = select(panel, "text_delta")
    run = view.model().find(number).parent()
    view.setCurrentIndex(run)
    view.collapse(run)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert view.isExpanded(run)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert not view.isExpanded(run)
    panel.commands.update()
    panel.commands.expand.trigger()
    assert view.isExpanded(run)
    qtbot.keyClick(view, Qt.Key.Key_Asterisk)
    assert not view.isExpanded(view.model().index(0, 0, run))


async def test_the_filter_keeps_matches_with_their_parents_and_live_ones_too(panel, kept):
    chat = session(last_seq=len(kept.records["s"]))
    await shown(panel, chat)
    panel.filter_line.setText("text_delta word7")
    model = panel.view.model()
    await until(lambda: model.is_filtered)
    turn = model.index(0, 0)
    assert (turn.data(), model.index(0, 0, turn).data()) == ("Turn 1", "Request 1")
    assert len(model.tree) == 1
    emit_delta(chat, "word7 again")
    emit_delta(chat, "something else")
    await until(lambda: len(model.records) == len(kept.records["s"]) + 2)
    assert len(model.tree) == 2
    assert panel.figures.text().startswith("2 of ")
    panel.filter_line.clear()
    await until(lambda: not model.is_filtered)
    assert len(model.tree) == len(model.records)


async def test_a_filter_without_a_match_says_so_and_can_be_taken_away(panel, kept):
    await shown(panel, session())
    panel.filter_line.setText("nowhere_to_be_found")
    await until(lambda: panel.states.state is State.NO_MATCH)
    assert panel.states.button.accessibleName() == "Clear the filter"
    panel.states.button.click()
    await until(lambda: panel.states.state is State.FULL)


async def test_the_chosen_record_is_still_chosen_behind_a_filter(panel, kept):
    await shown(panel, session())
    number = select(panel, "response_closed")
    model = panel.view.model()
    panel.filter_line.setText("response")
    await until(lambda: model.is_filtered)
    assert model.record_span(panel.view.currentIndex())[1] == number


async def test_the_figures_count_records_requests_bytes_and_what_was_ignored(panel, kept):
    trace = troubled_turn()
    kept.records["s"] = trace.records
    await shown(panel, session())
    size = len(trace.body)
    assert panel.figures.text() == f"{len(trace.records)} records · 1 request · {size} bytes · 1 event ignored"


async def test_a_large_text_is_shown_in_part_until_all_is_wanted(panel, kept, monkeypatch):
    monkeypatch.setattr("agdesk.ui.inspector.detail.SHOWN_CHARACTERS", 10)
    await shown(panel, session())
    select(panel, "request_sent")
    choose_page(panel, Page.REQUEST)
    await until(lambda: panel.detail.all_button.isVisible())
    assert panel.detail.view.toPlainText() == panel.detail.text[:10]
    panel.detail.all_button.click()
    assert panel.detail.view.toPlainText() == panel.detail.text
    assert pages_module.SHOWN_CHARACTERS == 1_000_000
    panel.detail.copy_button.click()
    assert QApplication.clipboard().text() == panel.detail.text


async def test_a_row_is_shown_on_its_first_page_until_the_user_has_chosen_another(panel, kept):
    await shown(panel, session())
    tabs, model = panel.detail.tabs, panel.view.model()
    sent = next(number for number in range(len(model.records)) if model.records.kind(number).name == "request_sent")
    panel.view.setCurrentIndex(model.find(sent))
    assert tabs.tabText(tabs.currentIndex()) == "Request"
    choose_page(panel, Page.TYPED)
    panel.view.setCurrentIndex(model.find(0))
    panel.view.setCurrentIndex(model.find(sent))
    assert tabs.tabText(tabs.currentIndex()) == "Typed"


async def test_the_page_of_a_request_goes_on_while_its_answer_comes(panel, kept):
    chat = session("new")
    chat.recorder.turn_id = "turn-1"
    await shown(panel, chat)
    trace = RequestTrace(chat.recorder, "req-1")
    trace.emit(RequestSent("GET", "https://api.example/v1/models", (), None))
    await until(lambda: len(panel.view.model().records) == 1)
    model = panel.view.model()
    panel.view.setCurrentIndex(model.index(0, 0, model.index(0, 0)))
    choose_page(panel, Page.RESPONSE)
    await until(lambda: panel.detail.note.text() == "No response yet.")
    trace.emit(whole_turn(1).records[3].payload)
    await until(lambda: "HTTP/1.1 200" in panel.detail.text)


async def test_every_control_has_an_accessible_name(panel, kept):
    await shown(panel, session())
    select(panel, "request_sent")
    unnamed = [
        widget
        for widget in panel.findChildren(QWidget)
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus and widget.isVisible() and not widget.accessibleName()
    ]
    assert unnamed == []


async def test_the_splitter_is_given_out_and_taken_back(qtbot, panel, kept):
    panel.splitter.setSizes([400, 200])
    state = panel.splitter_state()
    panel.splitter.setSizes([200, 400])
    panel.restore_splitter(b"nonsense")
    panel.restore_splitter(state)
    tree, detail = panel.splitter.sizes()
    assert tree > detail


@pytest.mark.parametrize(("width", "is_hidden"), [(360, True), (520, False)])
async def test_a_narrow_panel_has_room_for_names_and_times_only(panel, kept, width, is_hidden):
    panel.resize(width, 600)
    await shown(panel, session())
    assert [panel.view.isColumnHidden(column) for column in Column] == [False, False, is_hidden, is_hidden]


async def test_a_real_conversation_is_shown_as_it_was_live_when_it_is_shown_again(qapp, qtbot, tmp_path):
    apply_theme(qapp, "light")
    workspace, _ = scripted_workspace(tmp_path, text_answer("Bonjour", " le", " monde"))
    panel = InspectorPanel(workspace)
    qtbot.addWidget(panel)
    panel.show()
    chat = workspace.open_session()
    await shown(panel, chat)
    await chat.submit("Say hello")
    await until(lambda: kinds(panel)[-1:] == ["turn_completed"])
    live = [records_of(panel).record(number) for number in range(len(kinds(panel)))]
    panel.hide()
    panel.show()
    await until(lambda: panel._feed is not None and panel._feed.is_loaded)
    stored = [records_of(panel).record(number) for number in range(len(kinds(panel)))]
    assert stored == live
    run = row_of(panel, kinds(panel).index("text_delta")).parent()
    assert run.data() == "text_delta × 3"
    panel.hide()
    await workspace.aclose()


def records_of(panel):
    return panel.view.model().records


def row_of(panel, number):
    return panel.view.model().find(number)


def kinds(panel):
    return [records_of(panel).kind(number).name for number in range(len(records_of(panel)))]


async def test_the_request_page_tells_what_was_changed_for_the_format(panel, kept):
    ledger = ("message 2: thinking was left out",)
    kept.records["s"] = [
        record._replace(payload=replace(record.payload, ledger=ledger))
        if isinstance(record.payload, RequestPrepared)
        else record
        for record in kept.records["s"]
    ]
    await shown(panel, session())
    select(panel, "request_sent")
    choose_page(panel, Page.REQUEST)
    await until(lambda: "POST" in panel.detail.text)
    assert "Changed for this provider:\n– message 2: thinking was left out\n" in panel.detail.text
