"""An object: its members below each other, each with its name, what the schema says of it, and its field."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.hidden_characters import revealed
from agdesk.ui.widgets.json_text import key_text
from agdesk.ui.widgets.labels import ElidedLabel, PlainLabel
from agdesk.ui.widgets.schema_form.array import ListPart
from agdesk.ui.widgets.schema_form.fields import NOTHING, RAW, Field, Kind, Member
from agdesk.ui.widgets.schema_form.leaves import make_leaf
from agdesk.ui.widgets.schema_form.part import Part

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_SEPARATOR = " · "


def make_part(field: Field, name: str, value: Any, path: str, parent: QWidget) -> Part:
    """The field of any value; JSON if the schema's own field cannot hold that."""
    if field.can_hold(value):
        match field.kind:
            case Kind.OBJECT:
                return ObjectPart(field, value, path, parent)
            case Kind.LIST if field.item is not None:
                return ListPart(field.item, name, value, path, parent)
    return make_leaf(field, name, value, path, parent)


def member_path(path: str, name: str) -> str:
    """The path of a member; a name that is not plain stands in brackets, in ASCII."""
    return f"{path}.{name}" if _NAME.fullmatch(name) else f"{path}[{json.dumps(name)}]"


class ObjectPart(Part):
    """The members that there are, in their order, then those that there could be.

    A member that the schema does not name is edited as JSON.
    """

    def __init__(self, field: Field, value: dict[str, Any], path: str, parent: QWidget) -> None:
        super().__init__(path, parent)
        known = {member.name: member for member in field.members}
        self._rows: dict[str, MemberRow] = {}
        for name in (*value, *(name for name in known if name not in value)):
            member = known.get(name, Member(name, RAW))
            row = MemberRow(member, value.get(name, NOTHING), member_path(path, name), self, is_known=name in known)
            row.edited.connect(self.edited)
            self._rows[name] = row
            self.put(row)
        self.column.setSpacing(current_theme().metrics.space_8)

    @property
    def first_control(self) -> QWidget | None:
        """Where one begins to edit."""
        return next((control for row in self._rows.values() if (control := row.first_control) is not None), None)

    @override
    def value(self) -> dict[str, Any]:
        values = {name: row.value() for name, row in self._rows.items()}
        return {name: value for name, value in values.items() if value is not NOTHING}

    @override
    def parts(self) -> Iterable[Part]:
        return self._rows.values()


class MemberRow(Part):
    """One member: there with a value, there as null, or not there.

    Args:
        value: ``NOTHING`` if it is not there.
        is_known: the schema names it.
    """

    def __init__(self, member: Member, value: Any, path: str, parent: QWidget, *, is_known: bool) -> None:
        super().__init__(path, parent)
        self._member = member
        self._name = key_text(member.name)
        self._field: Part | None = None
        self._empty = value  # what it is without a field
        self._is_known = is_known
        self.button = PushButton(self)
        self.button.clicked.connect(self._toggle)
        self.put(self._make_head())
        if value is not NOTHING and not (value is None and member.field.is_nullable):
            self._open(value)
        self._refresh()

    @property
    def first_control(self) -> QWidget | None:
        """Where one begins to edit it."""
        if isinstance(self._field, ObjectPart):
            return self._field.first_control
        return self.button if self._field is None else self._field.control

    @override
    def value(self) -> Any:
        return self._empty if self._field is None else self._field.value()

    @override
    def parts(self) -> Iterable[Part]:
        return () if self._field is None else (self._field,)

    def _toggle(self) -> None:
        if self._field is None:
            self._open(self._member.field.first_value())
            control = self.first_control
        else:
            field, self._field = self._field, None
            field.hide()
            field.deleteLater()
            self._empty = NOTHING if not self._member.is_required else None
            control = self.button
        self._refresh()
        if control is not None:
            control.setFocus()
        self.edited.emit()

    def _open(self, value: Any) -> None:
        self._field = make_part(self._member.field, self._name, value, self.path, self)
        self._field.edited.connect(self.edited)
        if isinstance(self._field, ObjectPart):
            self._field.column.setContentsMargins(current_theme().metrics.space_16, 0, 0, 0)
        self.put(self._field)

    def _refresh(self) -> None:
        if self._field is None:
            text, name = self.tr("Set"), self.tr("Set {name}")
        elif self._member.is_required:
            text, name = self.tr("Set to null"), self.tr("Set {name} to null")
        else:
            text, name = self.tr("Leave out"), self.tr("Leave {name} out")
        self.button.setText(text)
        self.button.setAccessibleName(name.format(name=self._name))
        self.button.setVisible(self._field is None or not self._member.is_required or self._member.field.is_nullable)
        self._note.setText(_SEPARATOR.join(self._notes()))

    def _notes(self) -> list[str]:
        field = self._member.field
        notes = [field.type_name] if field.type_name else []
        if not self._is_known:
            notes.append(self.tr("not in the schema"))
        elif self._member.is_required:
            notes.append(self.tr("required"))
        if self._field is None:
            notes.append(self.tr("null") if self._empty is None else self.tr("left out"))
        return [*notes, revealed(field.description)] if field.description else notes

    def _make_head(self) -> QWidget:
        head = QWidget(self)
        label = PlainLabel(head, font="code")
        label.setText(self._name)
        self._note = ElidedLabel(head, color="muted", font="caption")
        line = QHBoxLayout(head)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(current_theme().metrics.space_8)
        line.addWidget(label)
        line.addWidget(self._note, 1)
        line.addWidget(self.button)
        return head
