"""What the cost of a conversation is made of, what its model's tokens cost, and who says so (CHAT9)."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from agdesk.core.cycle import AgentSession, CostTracker
from agdesk.core.providers.price_sheet import PriceSheet
from agdesk.core.tasks import spawn
from agdesk.core.workspace import Workspace
from agdesk.ui.chat.gauge.sheet import FigureSheet
from agdesk.ui.chat.status_text import THIN_SPACE, count, dollars
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.wrapped_label import WrappedLabel

translate = QCoreApplication.translate


def used_text(cost: CostTracker) -> str:
    """What that cost is made of."""
    parts = [
        translate("CostText", "{count} requests").format(count=count(cost.request_count)),
        translate("StatusText", "{count} in").format(count=count(cost.prompt_tokens)),
        translate("StatusText", "{count} out").format(count=count(cost.completion_tokens)),
    ]
    if cost.unreported_count:
        parts.append(translate("CostText", "{count} told no tokens").format(count=count(cost.unreported_count)))
    if cost.unpriced_count:
        known = translate("CostText", "{count} of unknown cost, the others {cost}")
        parts.append(known.format(count=count(cost.unpriced_count), cost=dollars(cost.cost_usd)))
    return " · ".join(parts)


def price_lines(sheet: PriceSheet | None) -> tuple[str, ...]:
    """The prices of a model, each with who says so."""
    if sheet is None:
        return (translate("CostText", "Nobody knows the prices of this model."),)
    lines = [
        translate("CostText", "Input: {price}").format(price=_price(sheet.input_per_million, sheet.input_source)),
        translate("CostText", "Output: {price}").format(price=_price(sheet.output_per_million, sheet.output_source)),
    ]
    if sheet.cached_per_million is not None:
        text = translate("CostText", "Cached input: {price}")
        lines.insert(1, text.format(price=_price(sheet.cached_per_million, sheet.input_source)))
    if sheet.cache_write_per_million is not None:
        text = translate("CostText", "Input written to the cache: {price}")
        lines.insert(2, text.format(price=_price(sheet.cache_write_per_million, sheet.input_source)))
    if "user" in (sheet.input_source, sheet.output_source):
        lines.append(translate("CostText", "With your prices, cached tokens cost what other input does."))
    if sheet.catalogue and sheet.as_of is not None:
        text = translate("CostText", "Catalogue: {name}, prices checked up to {date}.")
        lines.append(text.format(name=sheet.catalogue, date=sheet.as_of.isoformat()))
    elif sheet.catalogue:
        lines.append(translate("CostText", "Catalogue: {name}.").format(name=sheet.catalogue))
    return tuple(lines)


class CostSheet(FigureSheet):
    """The cost of a conversation, the prices of the model in use, and the way to correct them.

    Signals:
        correction_wanted(str): the user knows better what ``provider/model`` costs.
    """

    correction_wanted = Signal(str)

    def __init__(self, workspace: Workspace, session: AgentSession, anchor: QWidget) -> None:
        super().__init__(self.tr("Cost"), anchor)
        self._workspace = workspace
        self._model_ref = session.model_ref
        self.total = WrappedLabel(self.panel)
        cost = session.cost
        known = self.tr("This conversation: {cost}").format(cost=dollars(cost.total_usd))
        self.total.setText(known if cost.request_count else self.tr("Nothing was answered yet."))
        self.used = WrappedLabel(self.panel, color="muted", font="caption")
        self.used.setText(used_text(cost))
        self.prices = WrappedLabel(self.panel)
        self.prices.setText(self.tr("Looking up the prices…"))
        self.correct_button = PushButton(self.tr("Correct prices…"), self.panel)
        self.correct_button.setAccessibleName(self.tr("Correct the prices of {model}").format(model=self._model_ref))
        self.correct_button.clicked.connect(lambda _checked=False: self._correct())
        for part in (self.total, self.used, self.prices, self.correct_button):
            self.column.addWidget(part)
        self.loading = spawn(self._load(), name=f"prices of {self._model_ref}")

    async def _load(self) -> None:
        sheet = await asyncio.to_thread(self._workspace.price_sheet, self._model_ref)
        if isValid(self):
            self.prices.setText("\n".join((f"{self._model_ref}:", *price_lines(sheet))))
            self.arrange()

    def _correct(self) -> None:
        self.close()
        self.correction_wanted.emit(self._model_ref)


def _price(per_million: float | None, source: str) -> str:
    if per_million is None:
        return translate("CostText", "unknown")
    text = translate("CostText", "${price} per million tokens").format(
        price=f"{per_million:,.4g}".replace(",", THIN_SPACE)
    )
    words = {
        "user": translate("CostText", "yours"),
        "list": translate("CostText", "the provider's list"),
        "preset": translate("CostText", "the provider's row"),
        "catalogue": translate("CostText", "catalogue"),
    }.get(source, source)
    return f"{text} ({words})" if words else text
