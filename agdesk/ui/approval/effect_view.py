"""What a call would do in the world, exactly."""

from __future__ import annotations

from typing import assert_never

from PySide6.QtWidgets import QVBoxLayout, QWidget

from agdesk.core.ir.effect import CommandRun, Effect, FileChange, PathRead, Unforeseen, UrlFetch
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.diff_view import DiffView
from agdesk.ui.widgets.json_text import json_text
from agdesk.ui.widgets.labels import PlainLabel
from agdesk.ui.widgets.lined_view import LinedView
from agdesk.ui.widgets.wrapped_label import WrappedLabel

_MOST_FACTS = 8
_MOST_DIFF_LINES = 14


class EffectView(QWidget):
    """A heading, a warning if there is reason for one, facts, and the diff of a file."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heading = PlainLabel(self)
        self.warning = WrappedLabel(self, color="warning")
        self.facts = LinedView(self.tr("What it would do"), self, most_lines=_MOST_FACTS)
        self.diff = DiffView(self.tr("What changes in the file"), self, most_lines=_MOST_DIFF_LINES)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(current_theme().metrics.space_4)
        for widget in (self.heading, self.warning, self.facts, self.diff):
            column.addWidget(widget)

    def show_effect(self, effect: Effect | None) -> None:
        """Shows what a call would do; None: nothing beyond its answer."""
        match effect:
            case None:
                self._show(self.tr("Does nothing beyond its answer"))
            case PathRead(path=path):
                self._show(self.tr("Reads"), {self.tr("path"): path})
            case FileChange(path=path, diff=diff, before_sha256=before):
                heading = self.tr("Changes a file") if before else self.tr("Creates a file")
                heading = heading if diff else self.tr("Writes a file; nothing in it changes")
                self._show(heading, {self.tr("path"): path}, diff=diff)
            case CommandRun():
                self._show_command(effect)
            case UrlFetch():
                self._show_fetch(effect)
            case Unforeseen(reason=reason):
                self._show(self.tr("What it would do cannot be told beforehand"), {self.tr("why"): reason})
            case _:
                assert_never(effect)

    def show_looking(self) -> None:
        """It is being found out what the changed arguments would do."""
        self._show(self.tr("Finding out what the changed arguments would do…"))

    def show_unknown(self) -> None:
        """The changed arguments are none that could run."""
        self._show(self.tr("The changed arguments cannot run as they are"))

    def _show_command(self, run: CommandRun) -> None:
        facts = {str(at): json_text(argument) for at, argument in enumerate(run.argv)}
        facts[self.tr("folder")] = run.folder
        if run.program:
            facts[self.tr("program")] = run.program
        warning = ""
        if run.is_shell:
            warning = self.tr("A shell reads the last argument: it can start other programs.")
        elif not run.program:
            warning = self.tr("There is no such program.")
        self._show(self.tr("Starts a program with these arguments"), facts, warning=warning)

    def _show_fetch(self, fetch: UrlFetch) -> None:
        facts = {
            self.tr("address"): fetch.url,
            self.tr("scheme"): fetch.scheme,
            self.tr("host"): f"{fetch.host}:{fetch.port}",
        }
        if fetch.address:
            facts[self.tr("resolved to")] = fetch.address
        if fetch.proxy:
            facts[self.tr("through")] = fetch.proxy
        warnings = []
        if fetch.scheme != "https":
            warnings.append(self.tr("The connection is not encrypted."))
        if fetch.is_private:
            warnings.append(self.tr("The address is of this machine or a local network."))
        heading = self.tr("Asks a server; what stands in the address leaves this machine")
        self._show(heading, facts, warning=" ".join(warnings))

    def _show(self, heading: str, facts: dict[str, str] | None = None, *, warning: str = "", diff: str = "") -> None:
        self.heading.setText(heading)
        self.warning.setText(self.tr("Warning: {text}").replace("{text}", warning))
        self.warning.setVisible(bool(warning))
        facts = facts or {}
        self.facts.set_lines(tuple(facts.values()), tuple(facts))
        self.facts.setVisible(bool(facts))
        self.diff.set_diff(diff)
        self.diff.setVisible(bool(diff))
