"""What a user sets in the panel goes over the wire; what is refused is offered, left out, remembered and forgotten."""

import asyncio
import json
import time

import pytest

pytest.importorskip("PySide6")

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from agdesk.core.providers.registry import ProviderRegistry
from agdesk.core.store.store import Store
from agdesk.core.workspace import Workspace
from agdesk.ui.bridge import DrainTimer
from agdesk.ui.chat import ChatTab
from agdesk.ui.chat.status import Phase
from agdesk.ui.theme import apply_theme
from agdesk.ui.widgets.transcript.end_rows import ErrorWidget
from tests.contract.conversation import DONE, chunk
from tests.fakes.script import END, JSON, SSE, head, send

ANSWER = (head(200, SSE), send(chunk(content="Bonjour", finish="stop") + DONE), END)
REFUSAL = {
    "error": {
        "message": "Unsupported value: 'temperature' does not support 0.2 with this model.",
        "type": "invalid_request_error",
        "param": "temperature",
        "code": "unsupported_value",
    }
}


async def until(condition):
    end = time.monotonic() + 15
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        await asyncio.sleep(0.005)


def offers(tab):
    rows = tab.transcript.findChildren(ErrorWidget)
    return [button for row in rows for button in row.findChildren(QPushButton) if button.isVisible()]


async def test_a_temperature_that_is_refused_is_offered_left_out_remembered_and_forgotten(
    qapp, qtbot, fake_server, tmp_path
):
    apply_theme(qapp, "light")

    def opened():
        registry = ProviderRegistry(data_folder=tmp_path, base_urls={"custom": fake_server.base_url})
        store = Store.open(tmp_path, budget_bytes=lambda: 100_000_000)
        return Workspace(registry, data_dir=tmp_path, store=store)

    def shown(workspace, session):
        tab = ChatTab(workspace, session, DrainTimer())
        qtbot.addWidget(tab)
        tab.resize(900, 800)
        tab.show()
        tab.parameters.set_open(True)
        return tab, tab.parameters.panel

    workspace = opened()
    await asyncio.to_thread(workspace.warm_up)
    session = workspace.open_session("custom/m")
    tab, panel = shown(workspace, session)
    field = panel.rows["temperature"].control.editor
    QTest.keyClicks(field.lineEdit(), "0.2")

    fake_server.script(head(400, JSON), send(json.dumps(REFUSAL)), END)
    tab.send("Hello")
    await until(lambda: tab.phase is Phase.FAILED and offers(tab))
    assert fake_server.requests[0].json["temperature"] == 0.2
    assert workspace.settings.models == {}, "nothing of the user's is taken away unasked"
    (button,) = offers(tab)
    assert button.text() == "Resend without temperature, and remember"

    fake_server.script(*ANSWER)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    await until(lambda: tab.phase is Phase.DONE)
    assert "temperature" not in fake_server.requests[1].json
    assert len(fake_server.requests[1].json["messages"]) == 1
    assert workspace.settings.models["custom/m"].refused == ["temperature"]
    row = panel.rows["temperature"]
    await until(lambda: row.forget_button.isVisible())
    assert row.note == "Refused by this model, so it is not sent." and not row.control.isEnabled()
    rendering = await workspace.rendered(session, "custom/m", "Again")
    assert "temperature" not in rendering.body and any("temperature" in line for line in rendering.ledger)
    tab.close_session()
    await workspace.aclose()

    workspace = opened()
    await asyncio.to_thread(workspace.warm_up)
    session, records = await workspace.open_conversation(session.id)
    tab, panel = shown(workspace, session)
    tab.show_stored(records)
    row = panel.rows["temperature"]
    assert session.parameters.temperature == 0.2 and row.forget_button.isVisible()
    fake_server.script(*ANSWER)
    await session.submit("Again")
    assert "temperature" not in fake_server.requests[2].json
    QTest.mouseClick(row.forget_button, Qt.MouseButton.LeftButton)
    await until(lambda: not row.forget_button.isVisible())
    assert "custom/m" not in workspace.settings.models and row.control.isEnabled()
    fake_server.script(*ANSWER)
    await session.submit("And again")
    assert fake_server.requests[3].json["temperature"] == 0.2
    tab.close_session()
    await workspace.aclose()


async def test_nothing_is_sent_that_was_not_set(fake_server, tmp_path):
    registry = ProviderRegistry(data_folder=tmp_path, base_urls={"custom": fake_server.base_url})
    workspace = Workspace(registry, data_dir=tmp_path)
    fake_server.script(*ANSWER)
    await workspace.open_session("custom/m").submit("Hello")
    assert fake_server.requests[0].json.keys() == {"model", "messages", "stream", "stream_options"}
    await workspace.aclose()
