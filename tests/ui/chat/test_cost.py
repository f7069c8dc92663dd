"""What a conversation has cost: the figure, what explains it, and the way to correct the prices (CHAT9)."""

import asyncio
from datetime import date

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from agdesk.core.cycle import CostTracker
from agdesk.core.ir.response import PromptTokensDetails, Usage
from agdesk.core.providers.price_sheet import PriceSheet
from agdesk.core.providers.scripted import text_answer
from agdesk.ui.bridge import DrainTimer
from agdesk.ui.chat import ChatTab
from agdesk.ui.chat.status_cost_sheet import CostSheet, price_lines, used_text
from agdesk.ui.models.dialog import ModelsDialog
from agdesk.ui.qt_async import emission
from agdesk.ui.theme import apply_theme
from tests.ui.chat.ledger.conversations import OPENAI, conversation


@pytest.fixture(autouse=True)
def theme(qapp):
    apply_theme(qapp, "light")


def plain(text):
    return text.replace("\u2009", " ")


def test_what_the_cost_is_made_of_says_what_is_unknown():
    cost = CostTracker()
    cost.add(Usage(81_200, 9_310), 0.5)
    cost.add(Usage(), None)
    assert plain(used_text(cost)) == (
        "2 requests · 81 200 in · 9 310 out · 1 told no tokens · 1 of unknown cost, the others $0.5000"
    )


@pytest.mark.parametrize(
    ("sheet", "lines"),
    [
        (None, ("Nobody knows the prices of this model.",)),
        (
            PriceSheet(1.25, 10.0, 0.125, None, "catalogue", "catalogue", "genai-prices 1", date(2026, 11, 3)),
            (
                "Input: $1.25 per million tokens (catalogue)",
                "Cached input: $0.125 per million tokens (catalogue)",
                "Output: $10 per million tokens (catalogue)",
                "Catalogue: genai-prices 1, prices checked up to 2026-11-03.",
            ),
        ),
        (
            PriceSheet(3.0, None, None, None, "user", "", "", None),
            (
                "Input: $3 per million tokens (yours)",
                "Output: unknown",
                "With your prices, cached tokens cost what other input does.",
            ),
        ),
    ],
)
def test_every_price_has_its_source(sheet, lines):
    assert tuple(map(plain, price_lines(sheet))) == lines


async def test_the_figure_opens_the_prices_and_leads_to_their_correction(qtbot, tmp_path):
    usage = Usage(1_000_000, 100_000, prompt_tokens_details=PromptTokensDetails(cached_tokens=800_000))
    workspace, session = conversation(tmp_path, text_answer("hi", usage=usage), model_ref=OPENAI)
    await asyncio.to_thread(workspace.load_models)
    tab = ChatTab(workspace, session, DrainTimer())
    qtbot.addWidget(tab)
    tab.resize(900, 800)
    tab.show()
    button = tab.status_row.cost_button
    assert not button.isVisible()
    async with asyncio.TaskGroup() as group:
        group.create_task(emission(tab.turn_ended, timeout_s=15))
        await asyncio.sleep(0)
        tab.send("hello")
    # 200 000 × $1.25 + 800 000 cached × $0.125 + 100 000 × $10 a million
    assert button.isVisible() and button.text() == "conversation $1.35"
    wanted = []
    tab.price_correction_wanted.connect(wanted.append)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    (sheet,) = tab.findChildren(CostSheet)
    await sheet.loading
    assert "Cached input: $0.125 per million tokens (catalogue)" in plain(sheet.prices.text())
    QTest.mouseClick(sheet.correct_button, Qt.MouseButton.LeftButton)
    assert wanted == [OPENAI]
    tab.explain_cost()
    (sheet,) = [found for found in tab.findChildren(CostSheet) if found.isVisible()]
    await sheet.loading
    QTest.keyClick(tab.focusWidget(), Qt.Key.Key_Escape)
    assert not sheet.isVisible()
    tab.close_session()
    await workspace.aclose()


async def test_the_table_of_models_points_the_prices_out(qtbot, tmp_path):
    workspace, _ = conversation(tmp_path, model_ref=OPENAI)
    await asyncio.to_thread(workspace.load_models)
    dialog = ModelsDialog(workspace)
    qtbot.addWidget(dialog)
    dialog.search.setText("claude")
    dialog.show()
    dialog.point_out(OPENAI, "input_per_million")
    assert dialog.table.current_row is not None and dialog.table.current_row.ref == OPENAI
    assert dialog.table.current_field == "input_per_million"
    dialog.point_out("openai/no-such-model", "input_per_million")
    assert dialog.search.text() == "openai/no-such-model"
    dialog.hide()
    await workspace.aclose()
