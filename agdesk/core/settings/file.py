"""The settings file: TOML, replaced as a whole, private, and never overwritten while it cannot be read."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import tomli_w

from agdesk.core.errors import SettingsError
from agdesk.core.settings.atomic import write_atomically
from agdesk.core.settings.model import ModelChoice, Provider, Settings
from agdesk.core.settings.validation import ValidationError

Document = dict[str, Any]
Migration = Callable[[Document], Document]


def _name_custom_among_the_providers(document: Document) -> Document:
    """1 → 2: ``[custom_endpoint]`` became ``[providers.custom]``."""
    old, providers = document.get("custom_endpoint"), document.get("providers", {})
    custom = providers.get("custom", {}) if isinstance(providers, dict) else None
    if not isinstance(old, dict) or not isinstance(custom, dict):
        return document  # not the tables they should be: left to the reader
    rest = {key: value for key, value in document.items() if key != "custom_endpoint"}
    return {**rest, "providers": {**providers, "custom": {**old, **custom}}} if old else rest


MIGRATIONS: tuple[Migration, ...] = (_name_custom_among_the_providers,)
"""The step at index ``i`` turns a document of version ``i + 1`` into one of version ``i + 2``; the last is current."""


class SettingsFile:
    """The owner of the settings: what is in force, and the file they come from.

    Attributes:
        path: the TOML file; it need not exist.
        problem: why the file could not be read, None while it can; the defaults are in force then.
    """

    def __init__(self, path: Path, *, migrations: Sequence[Migration] = MIGRATIONS) -> None:
        self.path = path
        self.problem: SettingsError | None = None
        self._migrations = migrations
        self._version = len(migrations) + 1
        self._current: Settings | None = None

    def current(self) -> Settings:
        """The settings in force: loaded on the first call, the defaults if the file is missing or broken."""
        if self._current is None:
            try:
                self._current = self.load()
            except SettingsError as error:
                self.problem = error
                self._current = Settings()
        return self._current

    def load(self) -> Settings:
        """Reads the file again; a missing one gives the defaults.

        Raises:
            SettingsError: names the file, the line and the next step. The file stays as it is.
        """
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            return Settings()
        except OSError as error:
            raise SettingsError(
                f"{self.path} cannot be read: {error.strerror or error}", "Check who may read the file."
            ) from error
        document, text = self._parse(content)
        try:
            return Settings.model_validate(self._migrate(document, text))
        except ValidationError as error:
            raise self._invalid(error, text) from error

    def save(self, settings: Settings) -> None:
        """Writes the file (0600) and puts ``settings`` in force.

        A file that cannot be read is kept aside as ``settings.toml.broken``. Blocks until the disk has it.

        Raises:
            SettingsError: it cannot be written; the old file and the old settings stay.
        """
        document = {"version": self._version, **settings.model_dump(exclude_unset=True)}
        try:
            self._keep_aside_if_broken()
            write_atomically(self.path, tomli_w.dumps(document).encode("utf-8"))
        except OSError as error:
            raise SettingsError(
                f"{self.path} cannot be written: {error.strerror or error}", "Check the folder and the free space."
            ) from error
        self.problem = None
        self._current = settings

    def use(self, settings: Settings) -> None:
        """Puts ``settings`` in force without writing them: for what must hold although the file cannot be written."""
        self._current = settings

    def _parse(self, content: bytes) -> tuple[Document, str]:
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise self._broken(line, "the text is not UTF-8") from error
        try:
            return tomllib.loads(text), text
        except tomllib.TOMLDecodeError as error:
            reason = str(error)
            place = re.search(r"\(at line (\d+), column \d+\)", reason)
            line = int(place[1]) if place else text.count("\n") + 1  # without a place: "(at end of document)"
            raise self._broken(line, reason) from error

    def _migrate(self, document: Document, text: str) -> Document:
        version = document.pop("version", 1)  # one written by hand has none; a step leaves alone what is new already
        if type(version) is not int or version < 1:
            raise self._broken(_line_of(text, ("version",)), f"version: {version!r} is no version of this file")
        if version > self._version:
            raise SettingsError(
                f"{self.path} was written by a newer agdesk: it has version {version}, this one knows {self._version}",
                "Update agdesk, or start this one with another --data-dir.",
            )
        for step in self._migrations[version - 1 :]:
            document = step(document)
        return document

    def _broken(self, line: int, reason: str) -> SettingsError:
        return SettingsError(
            f"{self.path}, line {line}: {reason}",
            "Correct that line. Until then the defaults are in force and the file stays as it is.",
        )

    def _invalid(self, error: ValidationError, text: str) -> SettingsError:
        first = error.errors(include_url=False)[0]
        place = tuple(str(part) for part in first["loc"])
        return self._broken(_line_of(text, place), f"{'.'.join(place)}: {first['msg']}")

    def _keep_aside_if_broken(self) -> None:
        try:
            self.load()
        except SettingsError:
            aside = self.path.with_name(self.path.name + ".broken")
            number = 1
            while aside.exists():
                number += 1
                aside = self.path.with_name(f"{self.path.name}.broken-{number}")
            self.path.rename(aside)


def changed(settings: Settings, key: str, value: object) -> Settings:
    """``settings`` with one value changed.

    Args:
        settings: those in force.
        key: ``section.name`` as in ``appearance.theme``, ``providers.<id>.<field>``,
            ``models.<provider/model>.<field>`` or ``shortcuts.<action id>``;
            ``providers.<id>`` is the whole table of a provider, whose id has no dot then.
        value: None sets it back to the default: it leaves the file, and with its last value a table does.

    Raises:
        SettingsError: no such setting, or not a value it can have.
    """
    document = settings.model_dump(exclude_unset=True)
    _set(document, _path_of(key), value)
    try:
        return Settings.model_validate(document)
    except ValidationError as error:
        raise SettingsError(f"{key}: {error.errors(include_url=False)[0]['msg']}") from error


def _path_of(key: str) -> tuple[str, ...]:
    """The tables and the name that ``key`` stands for; ids of actions have dots of their own."""
    section, _, name = key.partition(".")
    match section:
        case "providers":
            provider_id, _, field = name.rpartition(".")
            if provider_id and field in Provider.model_fields:
                return (section, provider_id, field)
            if field and not provider_id and field not in Provider.model_fields:
                return (section, field)
        case "models":
            model_ref, _, field = name.rpartition(".")  # its id may have dots and slashes of its own
            if all(model_ref.partition("/")) and field in ModelChoice.model_fields:
                return (section, model_ref, field)
        case "shortcuts" if name:
            return (section, name)
        case _ if section in Settings.model_fields:
            if name in getattr(Settings.model_fields[section].annotation, "model_fields", {}):
                return (section, name)
    raise SettingsError(f"There is no setting {key}")


def _set(table: Document, path: tuple[str, ...], value: object) -> None:
    name, *rest = path
    if rest:
        inner = table.setdefault(name, {})
        _set(inner, tuple(rest), value)
        if not inner:
            del table[name]
    elif value is None:
        table.pop(name, None)
    else:
        table[name] = value


def _line_of(text: str, place: tuple[str, ...]) -> int:
    """The line of the key ``place``: the last line of the longest part of the path that is found, else the first."""
    table: list[str] = []
    best, depth = 1, 0
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[+([^\]]+)\]", line):
            table = keys = _names_in(header[1])
        elif entry := re.match(r"""\s*((?:"[^"]*"|'[^']*'|[\w. -])+?)\s*=""", line):
            keys = [*table, *_names_in(entry[1])]
        else:
            continue
        if len(keys) > depth and tuple(keys) == place[: len(keys)]:
            best, depth = number, len(keys)
    return best


def _names_in(key: str) -> list[str]:
    """``a."b.c"`` → ``a`` and ``b.c``."""
    return [part.strip("\"'") for part in re.findall(r""""[^"]*"|'[^']*'|[\w-]+""", key)]
