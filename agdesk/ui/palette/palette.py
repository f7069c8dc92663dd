"""The command palette: type a few letters of anything that can be done, and Enter does it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, cast

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QCloseEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QVBoxLayout, QWidget
from shiboken6 import isValid
from typing_extensions import override

from agdesk.ui.actions import ActionRegistry
from agdesk.ui.palette.entries import Entry, EntrySearch, action_entries
from agdesk.ui.palette.entry_list import EntryList
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.announce import announce
from agdesk.ui.widgets.labels import PlainLabel
from agdesk.ui.widgets.row_painting import row_height

Source: TypeAlias = Callable[[str], Sequence[Entry]]

_WIDTH = 620
_ROWS = 10


class CommandPalette(QWidget):
    """All actions of a registry, and what other sources offer, over a window.

    It covers the window without being seen, so that a click beside its panel closes it. It closes with Esc and when the
    focus goes elsewhere, too. The focus goes back to where it was, and only then what was chosen is run.

    Args:
        registry: whose actions it offers; remembers which were chosen.
        parent: any widget of the window.
    """

    def __init__(self, registry: ActionRegistry, parent: QWidget) -> None:
        super().__init__(parent.window())
        self._app = cast(QApplication, QApplication.instance())
        self._registry = registry
        self._sources: list[Source] = []
        self._search = EntrySearch()
        self._actions: Sequence[Entry] = ()
        self._focus_before: QWidget | None = None
        self.setAccessibleName(self.tr("Command palette"))
        self._panel = _Panel(self)
        self.field = _PaletteField(self.tr("What do you want to do?"), self._panel)
        self.field.textChanged.connect(self._show_results)
        self.field.installEventFilter(self)
        self.list = EntryList(self.tr("Actions"), hits_of=self._hits_of, parent=self._panel)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.chosen.connect(self._run)
        self._nothing = PlainLabel(self._panel, color="muted")
        self._nothing.setText(self.tr("Nothing has these letters in this order."))
        self._column = QVBoxLayout(self._panel)
        for part in (self.field, self.list, self._nothing):
            self._column.addWidget(part)
        self.hide()
        current_theme().theme_changed.connect(self._arrange)

    def add_source(self, source: Source) -> None:
        """Offers more than actions.

        Args:
            source: gives entries for what was typed, empty at first; only those that fit are shown. It is called for
                every key.
        """
        self._sources.append(source)

    def open(self) -> None:
        """Shows the palette over its window, with the cursor in the field."""
        if self.isHidden():
            self._focus_before = self.window().focusWidget()
            recent = {action_id: at for at, action_id in enumerate(self._registry.recently_chosen())}
            entries = action_entries(self._registry)
            self._actions = sorted(entries, key=lambda entry: recent.get(entry.action_id, len(recent)))
            self._app.focusChanged.connect(self._on_focus_changed)
            self.window().installEventFilter(self)
            self._arrange()
            self.show()
            self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.clear()
        self._show_results()

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        if self.isHidden():
            return
        self.window().removeEventFilter(self)
        self._app.focusChanged.disconnect(self._on_focus_changed)
        before, self._focus_before = self._focus_before, None
        has_focus = self.isAncestorOf(self.window().focusWidget() or self)
        if has_focus and before is not None and isValid(before):
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        super().closeEvent(event)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self._panel.geometry().contains(event.position().toPoint()):
            self.close()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self.window():
            self._arrange()
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and watched is self.field:
            return self._take_key(event)
        return super().eventFilter(watched, event)

    def _take_key(self, event: QKeyEvent) -> bool:
        match event.key():
            case Qt.Key.Key_Escape:
                self.close()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                if (entry := self.list.current) is not None and self.list.count:
                    self._run(entry)
            case Qt.Key.Key_Tab | Qt.Key.Key_Backtab:
                pass  # there is nowhere else to go
            case _ if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
                return False
            case _:
                if not self.list.count or not self.list.move_by_key(event):
                    return False
                announce(self.field, self.list.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole))
        return True

    def _run(self, entry: Entry) -> None:
        if not entry.is_enabled:
            return
        self.close()
        if entry.action_id:
            self._registry.remember_choice(entry.action_id)
        entry.run()

    def _show_results(self) -> None:
        query = self.field.text()
        entries = [*self._actions]
        for source in self._sources:
            entries += source(query)
        found = self._search.find(query, entries)
        self.list.show_entries(found)
        self.list.setVisible(bool(found))
        self._nothing.setVisible(not found)
        self._fit()
        announce(self.field, self._nothing.text() if not found else self._count_text(len(found)))

    def _count_text(self, count: int) -> str:
        return self.tr("1 result") if count == 1 else self.tr("%1 results").replace("%1", str(count))

    def _hits_of(self, text: str) -> frozenset[int]:
        return self._search.hits(self.field.text(), text)

    def _on_focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        if now is not None and not self.isAncestorOf(now):
            self.close()

    def _arrange(self) -> None:
        metrics = current_theme().metrics
        self.setGeometry(self.window().rect())
        space = metrics.space_8
        self._column.setContentsMargins(space, space, space, space)
        self._column.setSpacing(space)
        self._nothing.setContentsMargins(metrics.space_4, 0, metrics.space_4, metrics.space_4)
        self._fit()

    def _fit(self) -> None:
        """Gives the panel the height that its rows need, as far as the window has it."""
        metrics = current_theme().metrics
        width = min(metrics.px(_WIDTH), self.width() - 2 * metrics.space_24)
        self.list.setFixedHeight(min(self.list.count, _ROWS) * row_height())
        top = min(metrics.px(72), self.height() // 8)
        height = min(self._column.sizeHint().height(), self.height() - top - metrics.space_8)
        self._panel.setGeometry((self.width() - width) // 2, top, width, height)


class _PaletteField(QLineEdit):
    """The line to type in. Its keys are its own: a window's Esc must not come first."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setPlaceholderText(name)

    @override
    def event(self, event: QEvent) -> bool:
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if is_override and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)


class _Panel(QFrame):
    """What floats over the window: raised, with an edge around it."""

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("control_edge"), 1))
        painter.setBrush(theme.color("raised"))
        area = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(area, theme.metrics.card_radius, theme.metrics.card_radius)
        painter.end()
