"""The lists of models that providers gave, kept between two starts: ``models/<provider>.json`` in the data folder.

A list is foreign: what it says of a model is kept as it is, but a name that no one could read or type, and what is too
much to be true, is left out. A file that cannot be read is as good as none. Loads pydantic.
"""

from __future__ import annotations

import contextlib
import dataclasses
import logging
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from agdesk.core.errors import SettingsError
from agdesk.core.providers.base import ModelInfo
from agdesk.core.settings.atomic import write_atomically
from agdesk.core.settings.validation import TypeAdapter, ValidationError

log = logging.getLogger(__name__)

MAX_MODELS = 20_000
MAX_NAME_CHARACTERS = 200
_MAX_WORDS = 100
_MAX_FILE_BYTES = 64_000_000


@dataclass(frozen=True, slots=True)
class ModelList:
    """What a provider listed.

    Attributes:
        base_url: the server that gave it: it says nothing of another one.
        fetched_ms: when, in milliseconds since 1970.
    """

    base_url: str
    fetched_ms: int
    models: tuple[ModelInfo, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """How many models of a provider's list can be used, and how many were left out: see ``believable``."""

    model_count: int
    left_out: int = 0


_ADAPTER = TypeAdapter(ModelList)


class ModelLists:
    """The owner of the lists and their files. Every call reads or writes at most one file: call it on a thread.

    Args:
        folder: made when the first list is kept.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lists: dict[str, ModelList | None] = {}
        self._reading = threading.Lock()

    def get(self, provider_id: str, *, base_url: str) -> ModelList | None:
        """The list that this server gave last; None if there is none."""
        with self._reading:
            if provider_id not in self._lists:
                self._lists[provider_id] = self._read(provider_id)
            known = self._lists[provider_id]
        return known if known is not None and known.base_url == base_url else None

    def put(self, provider_id: str, models: Iterable[ModelInfo], *, base_url: str) -> ModelList:
        """Keeps a list in place of the old one.

        Raises:
            SettingsError: it cannot be written; it is in force all the same, until the program ends.
        """
        kept = ModelList(base_url, time.time_ns() // 1_000_000, believable(models))
        with self._reading:
            self._lists[provider_id] = kept
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            write_atomically(self._path(provider_id), _ADAPTER.dump_json(kept))
        except OSError as error:
            raise SettingsError(
                f"The list of models of {provider_id} cannot be kept: {error.strerror or error}",
                "Check the data folder and the free space.",
            ) from error
        return kept

    def forget(self, provider_id: str) -> None:
        """Removes a list, with its file; one that cannot be removed is there again at the next start."""
        with self._reading:
            self._lists.pop(provider_id, None)
        with contextlib.suppress(OSError):
            self._path(provider_id).unlink()

    def _path(self, provider_id: str) -> Path:
        return self._folder / f"{quote(provider_id, safe='')}.json"

    def _read(self, provider_id: str) -> ModelList | None:
        path = self._path(provider_id)
        try:
            if path.stat().st_size > _MAX_FILE_BYTES:
                raise ValueError("it is too long")
            kept = _ADAPTER.validate_json(path.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:  # ValidationError is a ValueError; its text quotes the file
            reason = "it is no list of models" if isinstance(error, ValidationError) else error
            log.warning("%s is not read: %s", path, reason)
            return None
        return dataclasses.replace(kept, models=believable(kept.models))


def believable(models: Iterable[ModelInfo]) -> tuple[ModelInfo, ...]:
    """The models whose ids can be shown and typed, each once; what else they say is cut to what can be true."""
    found: dict[str, ModelInfo] = {}
    for model in models:
        if _is_name(model.id) and model.id not in found:
            found[model.id] = _trimmed(model)
            if len(found) == MAX_MODELS:
                break
    return tuple(found.values())


def listing(models: Sequence[ModelInfo], kept: Sequence[ModelInfo]) -> Listing:
    """What became of a list: a model that it has twice is not left out."""
    names = {model.id for model in kept}
    return Listing(len(kept), sum(model.id not in names for model in models))


def _trimmed(model: ModelInfo) -> ModelInfo:
    name = model.display_name if _is_name(model.display_name) else model.id
    return dataclasses.replace(
        model,
        display_name=name,
        parameters=None if model.parameters is None else tuple(filter(_is_name, model.parameters[:_MAX_WORDS])),
        efforts=tuple(filter(_is_name, model.efforts[:_MAX_WORDS])),
        lacks=(),
        refused=(),
    )


def _is_name(text: str) -> bool:
    is_text = text.isprintable() and "\ufffd" not in text  # what stands for bytes that were none
    return 0 < len(text) <= MAX_NAME_CHARACTERS and is_text and text == text.strip()
