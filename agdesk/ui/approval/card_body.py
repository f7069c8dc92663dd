"""What is known of a call: its effect, its arguments, what was made of them, where it comes from, and its schema."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from agdesk.core.ir.approval import ApprovalRequest
from agdesk.core.ir.blocks import JsonObject
from agdesk.core.tasks import spawn
from agdesk.ui.approval.advice import Advice
from agdesk.ui.approval.changes import argument_changes
from agdesk.ui.approval.effect_view import EffectView
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.code_view import CodeView
from agdesk.ui.widgets.diff_view import DiffView
from agdesk.ui.widgets.hidden_characters import revealed
from agdesk.ui.widgets.json_text import json_text, same_json
from agdesk.ui.widgets.json_views import JsonViews
from agdesk.ui.widgets.labels import PlainLabel
from agdesk.ui.widgets.lined_view import LinedView
from agdesk.ui.widgets.schema_form.part import PartProblem, Told
from agdesk.ui.widgets.wrapped_label import WrappedLabel

LOOK_MS = 200
"""After the last key, what was written is looked at."""
_WORDS_CHARACTERS = 1_000
_MOST_CHANGES = 8
_MOST_FACTS = 6
_SCHEMA_LINES = 10


class CardBody(QWidget):
    """Scrolled as a whole."""

    def __init__(self, request: ApprovalRequest, advice: Advice) -> None:
        super().__init__()
        self._request = request
        self._advice = advice
        self._task: asyncio.Task[None] | None = None
        self._foreseen: JsonObject | None = request.input  # whose effect is shown
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(LOOK_MS)
        self._late.timeout.connect(self.look)
        self.effect = EffectView(self)
        self.effect.show_effect(request.effect)
        self.arguments = JsonViews(self.tr("Arguments"), self)
        self.arguments.show_value(request.schema, request.input)
        self.arguments.edited.connect(self._late.start)
        self.changes_title = PlainLabel(self, color="muted")
        self.changes_title.setText(self.tr("Your changes (- proposed, + changed)"))
        self.changes = DiffView(self.tr("Your changes to the arguments"), self, most_lines=_MOST_CHANGES)
        self.words = WrappedLabel(self, color="muted")
        self.facts = LinedView(self.tr("Where the call comes from"), self, most_lines=_MOST_FACTS)
        self.schema_button = PushButton(self.tr("Schema"), self)
        self.schema_button.setAccessibleName(self.tr("Schema of the arguments"))
        self.schema_button.setCheckable(True)
        self.schema_button.toggled.connect(self._show_schema)
        self.schema: CodeView | None = None
        self._build()
        self._show_facts()
        self._show_changes(request.input)

    @property
    def edited(self) -> JsonObject | None:
        """The arguments as they are now, if the user has changed them.

        Raises:
            PartProblem: what was written is none; its place says so, too.
        """
        value = self.arguments.value()
        if same_json(value, self._request.input):
            return None
        if not isinstance(value, dict):
            raise PartProblem("$", self.tr("The arguments are no object"))
        return value

    def problems(self, edited: JsonObject) -> tuple[Told, ...]:
        """What is wrong with changed arguments."""
        return tuple(Told(path, message) for path, message in self._advice.validate(self._request, edited))

    def look(self) -> bool:
        """Looks at what the user has written: what is wrong with it, what differs, what it would do.

        Returns:
            Whether it could run.
        """
        self._late.stop()
        try:
            edited = self.edited
        except PartProblem as problem:
            self.arguments.show_problems((Told(problem.path, str(problem)),))
            self._stop()
            self.effect.show_unknown()
            self._foreseen = None
            return False
        value = self._request.input if edited is None else edited
        problems = () if edited is None else self.problems(edited)
        self.arguments.show_problems(problems)
        self._show_changes(value)
        self._foresee(value, can_run=not problems)
        return not problems

    def close_down(self) -> None:
        """Nothing of it goes on."""
        self._late.stop()
        self._stop()

    def _foresee(self, value: JsonObject, *, can_run: bool) -> None:
        if not can_run:
            self._stop()
            self._foreseen = None
            self.effect.show_unknown()
        elif self._foreseen is None or not same_json(value, self._foreseen):
            self._stop()
            self._foreseen = value
            if same_json(value, self._request.input):
                self.effect.show_effect(self._request.effect)
                return
            self.effect.show_looking()
            self._task = spawn(self._show_effect(value), name="what changed arguments would do")

    async def _show_effect(self, value: JsonObject) -> None:
        self.effect.show_effect(await self._advice.foresee(self._request, value))

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _show_changes(self, value: JsonObject) -> None:
        lines = argument_changes(self._request.input, value)
        self.changes.set_lines(lines)
        self.changes.setVisible(bool(lines))
        self.changes_title.setVisible(bool(lines))

    def _show_facts(self) -> None:
        request = self._request
        words = revealed(request.words.strip())
        if len(words) > _WORDS_CHARACTERS:
            words = f"…{words[-_WORDS_CHARACTERS:]}"
        self.words.setText(self.tr("The model said: {words}").replace("{words}", words))
        self.words.setVisible(bool(words))
        facts = {self.tr("tool"): request.tool, self.tr("server"): request.server}
        if request.endpoint:
            facts[self.tr("reached by")] = request.transport
            facts[self.tr("endpoint")] = request.endpoint
        if request.folder:
            facts[self.tr("folder")] = request.folder
        text = self._advice.asking_rule(request.rule_id) if request.rule_id else ""
        facts[self.tr("rule")] = text or request.rule_id or self.tr("none says anything about this call")
        self.facts.set_lines(tuple(facts.values()), tuple(facts))

    def _show_schema(self, is_shown: bool) -> None:
        if self.schema is None:
            self.schema = CodeView(self.tr("Schema of the arguments"), self)
            self.schema.set_text(json_text(self._request.schema))
            self.schema.setFixedHeight(_SCHEMA_LINES * self.schema.fontMetrics().lineSpacing())
            self._column.insertWidget(self._column.count() - 1, self.schema)
        self.schema.setVisible(is_shown)

    def _build(self) -> None:
        metrics = current_theme().metrics
        foot = QWidget(self)
        line = QHBoxLayout(foot)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.schema_button)
        line.addStretch(1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, metrics.space_8, 0)
        self._column.setSpacing(metrics.space_8)
        for widget in (self.words, self.effect, self.arguments, self.changes_title, self.changes, self.facts, foot):
            self._column.addWidget(widget)
        self._column.addStretch(1)
