"""Presets: parameters and a system prompt under a name, in ``presets.json`` of the data folder.

Only the standard library: the default preset is read before the first paint. What another version wrote into the file
is kept as it is, and so are entries that this one cannot read.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agdesk.core.emitter import Emitter
from agdesk.core.errors import ProtocolError, SettingsError
from agdesk.core.ir.codec import from_json, to_json
from agdesk.core.ir.parameters import RequestParameters
from agdesk.core.settings.atomic import write_atomically

FILE_NAME = "presets.json"
ASIDE_NAME = "presets.json.broken"

log = logging.getLogger(__name__)

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Preset:
    """What a conversation may set in its requests, under a name; ``system_prompt`` None for none."""

    name: str
    parameters: RequestParameters = field(default_factory=RequestParameters)
    system_prompt: str | None = None
    id: str = field(default_factory=lambda: os.urandom(8).hex())


class Presets:
    """The owner of the presets and their file. A change is in force once it is on the disk.

    Args:
        folder: the data folder.
        redact: replaces known keys: none gets into the file (SEC1).

    Attributes:
        changed: other presets, or another default.
    """

    def __init__(self, folder: Path, *, redact: Callable[[str], str]) -> None:
        self.changed: Emitter[None] = Emitter()
        self._path = folder / FILE_NAME
        self._redact = redact
        self._document: Document | None = None
        self._read: tuple[Preset, ...] | None = None  # of the document
        self._is_broken = False
        self._changing = asyncio.Lock()

    def all(self) -> tuple[Preset, ...]:
        """Every preset that can be read, in the order in which they were made."""
        if self._read is None:
            found = (_read(entry) for entry in _entries_of(self._current()))
            self._read = tuple(preset for preset in found if preset is not None)
        return self._read

    def get(self, preset_id: str) -> Preset | None:
        """The preset of an id."""
        return next((preset for preset in self.all() if preset.id == preset_id), None)

    def named(self, name: str) -> Preset | None:
        """The preset of a name."""
        return next((preset for preset in self.all() if preset.name == name), None)

    @property
    def default(self) -> Preset | None:
        """What new conversations begin with; None for nothing."""
        preset_id = self._current().get("default")
        return self.get(preset_id) if isinstance(preset_id, str) else None

    async def put(self, preset: Preset, *, place: int | None = None) -> None:
        """Adds a preset, at a place or at the end, or replaces the one with its id.

        Raises:
            SettingsError: the file cannot be written; nothing has changed then. So do the other changes.
        """
        new = {
            "id": preset.id,
            "name": self._redact(preset.name),
            "parameters": to_json(preset.parameters),
            "system_prompt": None if preset.system_prompt is None else self._redact(preset.system_prompt),
        }

        def change(document: Document) -> Document:
            entries = _entries_of(document)
            at = _place_of(entries, preset.id)
            if at is None:
                entries.insert(len(entries) if place is None else place, new)
            else:
                entries[at] = {**entries[at], **new}
            return {**document, "presets": entries}

        await self._change(change)

    async def remove(self, preset_id: str) -> int:
        """Removes a preset and gives its place, for ``put``; the default that it was is none any more."""
        place = 0

        def change(document: Document) -> Document:
            nonlocal place
            entries = _entries_of(document)
            at = _place_of(entries, preset_id)
            if at is not None:
                place = at
                del entries[at]
            default = document.get("default")
            return {**document, "presets": entries, "default": None if default == preset_id else default}

        await self._change(change)
        return place

    async def set_default(self, preset_id: str | None) -> None:
        """What new conversations begin with from now on; None for nothing."""
        await self._change(lambda document: {**document, "default": preset_id})

    async def _change(self, change: Callable[[Document], Document]) -> None:
        async with self._changing:
            document = change(self._current())
            await asyncio.to_thread(self._write, document)
            self._document, self._read = document, None
        self.changed.emit(None)

    def _current(self) -> Document:
        if self._document is None:
            self._document = self._load()
        return self._document

    def _load(self) -> Document:
        try:
            content = self._path.read_bytes()
        except FileNotFoundError:
            return {}
        except OSError as error:
            log.error("%s cannot be read: %s", self._path, error)
            self._is_broken = True
            return {}
        try:
            document = json.loads(content)
        except (ValueError, RecursionError):  # neither JSON nor UTF-8
            document = None
        if not isinstance(document, dict):
            log.error("%s holds what agdesk did not write; the next change keeps it as %s", self._path, ASIDE_NAME)
            self._is_broken = True
            return {}
        return document

    def _write(self, document: Document) -> None:
        try:
            if self._is_broken:
                self._path.replace(self._path.with_name(ASIDE_NAME))
                self._is_broken = False
            write_atomically(self._path, json.dumps(document, indent=1).encode("ascii"))
        except OSError as error:
            raise SettingsError(
                f"{self._path} cannot be written: {error.strerror or error}", "Check the folder and the free space."
            ) from error


def _entries_of(document: Document) -> list[Any]:
    entries = document.get("presets")
    return list(entries) if isinstance(entries, list) else []


def _place_of(entries: list[Any], preset_id: str) -> int | None:
    ids = (entry.get("id") if isinstance(entry, dict) else None for entry in entries)
    return next((place for place, found in enumerate(ids) if found == preset_id), None)


def _read(entry: object) -> Preset | None:
    match entry:
        case {"id": str(preset_id), "name": str(name), "parameters": parameters, **rest}:
            prompt = rest.get("system_prompt")
            try:
                values: RequestParameters = from_json(RequestParameters, parameters)
            except ProtocolError as error:
                log.error("the preset %s cannot be read: %s", name, error)
                return None
            return Preset(name, values, prompt if isinstance(prompt, str) else None, preset_id)
        case _:
            return None
