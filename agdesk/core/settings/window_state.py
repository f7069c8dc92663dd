"""What the window looked like when the program ended, in ``window.json`` of the data folder.

Read before the first paint, so with the standard library only (PERF5). It is the program's own file, beside the
settings and not among them: moving a window must not touch what the user wrote.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from agdesk.core.settings.atomic import write_atomically

T = TypeVar("T")
log = logging.getLogger(__name__)

FILE_NAME = "window.json"
ASIDE_NAME = "window.json.broken"
MOST_TABS = 500
_MOST_BYTES = 4_000_000
_MOST_CHARACTERS = 4_000
_MOST_PIXELS = 100_000


@dataclass(frozen=True, slots=True)
class Rect:
    """A place on the screens, in device-independent pixels."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class PanelState:
    """A side panel: how wide it is when it is open, and whether it is folded."""

    width: int
    is_folded: bool


@dataclass(frozen=True, slots=True)
class TabState:
    """A tab.

    Attributes:
        session_id: of its conversation.
        model_ref: ``provider/model`` that an empty conversation asks; empty for the default.
        geometry: of its own window, if it is or was detached.
        scroll_place: as ``ChatTab.scroll_place`` gave it; empty for the end.
        has_parameters_open: whether the panel of its parameters is folded out.
        unknown: what a newer agdesk wrote; kept.
    """

    session_id: str
    model_ref: str = ""
    is_detached: bool = False
    geometry: Rect | None = None
    scroll_place: str = ""
    has_parameters_open: bool = False
    unknown: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WindowState:
    """The main window and its tabs, in their order.

    Attributes:
        current: session id of the tab in front; empty for the first one.
        geometry: of the window when it is not maximised; None before the first time.
        left_panel, right_panel: None before the first time.
        conversation_list, inspector: what these panels gave to be brought back.
        settings_geometry: of the settings dialog.
        unknown: what a newer agdesk wrote; kept.
    """

    tabs: tuple[TabState, ...] = ()
    current: str = ""
    geometry: Rect | None = None
    is_maximized: bool = False
    left_panel: PanelState | None = None
    right_panel: PanelState | None = None
    conversation_list: str = ""
    inspector: str = ""
    settings_geometry: Rect | None = None
    unknown: Mapping[str, object] = field(default_factory=dict)


def read_window_state(data_folder: Path) -> WindowState:
    """The state as last written; defaults for what is missing or wrong. Never raises.

    A file in which anything is wrong is renamed to ``window.json.broken``: the next write would replace it.
    """
    path = data_folder / FILE_NAME
    try:
        if not path.is_file():
            return WindowState()
        content = path.read_bytes() if path.stat().st_size <= _MOST_BYTES else b""
    except OSError as error:
        log.error("%s cannot be read: %s", path, error)
        return WindowState()
    try:
        fields = _Fields(json.loads(content))
    except (ValueError, RecursionError):  # ValueError: neither JSON nor UTF-8, no object, or a number of 5,000 digits
        _keep_aside(path)
        return WindowState()
    state = WindowState(
        tabs=fields.take("tabs", fields.read_tabs, ()),
        current=fields.take("current", _text, ""),
        geometry=fields.take("geometry", _rect, None),
        is_maximized=fields.take("is_maximized", _flag, False),
        left_panel=fields.take("left_panel", _panel, None),
        right_panel=fields.take("right_panel", _panel, None),
        conversation_list=fields.take("conversation_list", _text, ""),
        inspector=fields.take("inspector", _text, ""),
        settings_geometry=fields.take("settings_geometry", _rect, None),
        unknown=fields.rest,
    )
    if not fields.is_sound:
        _keep_aside(path)
    return state


def write_window_state(data_folder: Path, state: WindowState) -> None:
    """Writes the state, private and never half. Blocks for as long as the disk takes: call it on a thread.

    Raises:
        OSError: it cannot be written.
    """
    document: dict[str, object] = {
        **state.unknown,
        "tabs": [_tab_document(tab) for tab in state.tabs[:MOST_TABS]],
        "current": state.current,
        "geometry": _numbers(state.geometry),
        "is_maximized": state.is_maximized,
        "left_panel": _panel_document(state.left_panel),
        "right_panel": _panel_document(state.right_panel),
        "conversation_list": state.conversation_list,
        "inspector": state.inspector,
        "settings_geometry": _numbers(state.settings_geometry),
    }
    content = json.dumps({key: value for key, value in document.items() if value is not None}, indent=1)
    write_atomically(data_folder / FILE_NAME, content.encode("ascii"))


class _Fields:
    """The fields of a JSON object, taken one by one; ``rest`` is what nobody took."""

    def __init__(self, document: object) -> None:
        self.rest: dict[str, object] = dict(_object(document))
        self.is_sound = True

    def take(self, key: str, convert: Callable[[Any], T], default: T) -> T:
        """The value of ``key``, ``default`` if it is missing or ``convert`` raises ``ValueError``."""
        if key not in self.rest:
            return default
        try:
            return convert(self.rest.pop(key))
        except ValueError:
            self.is_sound = False
            return default

    def read_tabs(self, value: object) -> tuple[TabState, ...]:
        """The tabs that can be read, each conversation once."""
        if not isinstance(value, list):
            raise ValueError
        tabs: dict[str, TabState] = {}
        for document in value[:MOST_TABS]:
            try:
                fields = _Fields(document)
                tab = TabState(
                    session_id=_session_id(fields.rest.pop("session_id", None)),
                    model_ref=fields.take("model_ref", _text, ""),
                    is_detached=fields.take("is_detached", _flag, False),
                    geometry=fields.take("geometry", _rect, None),
                    scroll_place=fields.take("scroll_place", _text, ""),
                    has_parameters_open=fields.take("has_parameters_open", _flag, False),
                    unknown=fields.rest,
                )
            except ValueError:
                self.is_sound = False
                continue
            self.is_sound &= fields.is_sound and tab.session_id not in tabs
            tabs.setdefault(tab.session_id, tab)
        self.is_sound &= len(value) <= MOST_TABS
        return tuple(tabs.values())


def _object(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise ValueError
    return value


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > _MOST_CHARACTERS:
        raise ValueError
    return value


def _session_id(value: object) -> str:
    text = _text(value)
    if not (0 < len(text) <= 100 and text.isascii() and text.replace("-", "").replace("_", "").isalnum()):
        raise ValueError
    return text


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _pixels(value: object, *, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= _MOST_PIXELS:
        raise ValueError
    return value


def _rect(value: object) -> Rect:
    match value:
        case [x, y, width, height]:
            place = [_pixels(number, least=-_MOST_PIXELS) for number in (x, y)]
            return Rect(*place, *(_pixels(number, least=1) for number in (width, height)))
        case _:
            raise ValueError


def _panel(value: object) -> PanelState:
    document = _object(value)
    return PanelState(_pixels(document.get("width"), least=1), _flag(document.get("is_folded")))


def _tab_document(tab: TabState) -> dict[str, object]:
    known: dict[str, object] = {
        "session_id": tab.session_id,
        "model_ref": tab.model_ref,
        "is_detached": tab.is_detached,
        "geometry": _numbers(tab.geometry),
        "scroll_place": tab.scroll_place,
        "has_parameters_open": tab.has_parameters_open,
    }
    return {**tab.unknown, **{key: value for key, value in known.items() if value}}


def _panel_document(panel: PanelState | None) -> dict[str, object] | None:
    return None if panel is None else {"width": panel.width, "is_folded": panel.is_folded}


def _numbers(rect: Rect | None) -> list[int] | None:
    return None if rect is None else [rect.x, rect.y, rect.width, rect.height]


def _keep_aside(path: Path) -> None:
    log.error("%s holds what agdesk did not write; it is now %s", path, ASIDE_NAME)
    try:
        path.replace(path.with_name(ASIDE_NAME))
    except OSError as error:
        log.error("it could not be renamed: %s", error)
