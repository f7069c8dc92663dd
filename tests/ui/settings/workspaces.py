"""A workspace as far as the settings dialog needs one: a real settings file, a key store that fails when it is told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from agdesk.core.emitter import Emitter
from agdesk.core.errors import ConfigurationError, ErrorRecord, SecretUnavailable
from agdesk.core.providers.llama_server import LlamaState
from agdesk.core.settings.file import SettingsFile, changed
from agdesk.core.settings.model import Settings
from agdesk.core.settings.secrets import KeyringStatus, KeySource
from agdesk.core.trace.redact import Secrets
from agdesk.core.workspace import ProviderEntry

OPENAI = ProviderEntry(
    "openai", "OpenAI", "OPENAI_API_KEY", True, "https://api.openai.com/v1", False, usual_env="OPENAI_API_KEY"
)
GROQ = ProviderEntry(
    "groq", "Groq", "GROQ_API_KEY", True, "https://api.groq.com/openai/v1", False, usual_env="GROQ_API_KEY"
)
LOCAL = ProviderEntry("local", "Local server", "", False, "http://127.0.0.1:8080/v1", True)
BUILTIN = ProviderEntry("builtin", "Built-in", "", False, "", True)
LOCKED = SecretUnavailable("The key store is locked", "Unlock it and try again.")


class FakeSecrets:
    """Keys in memory.

    Attributes:
        stored, held: keys by provider, or by account if it is not the default one.
        failure: what ``keep`` and ``remove`` raise, and why ``find`` finds nothing in the key store.
        gate: while it is cleared, everything that asks the key store waits.
        environment: what ``find`` sees.
        asked: provider of every question that reached the key store.
    """

    def __init__(self) -> None:
        self.changed: Emitter[str] = Emitter()
        self.stored: dict[str, str] = {}
        self.held: dict[str, str] = {}
        self.failure: SecretUnavailable | None = None
        self.gate = asyncio.Event()
        self.gate.set()
        self.environment: dict[str, str] = {}
        self.asked: list[str] = []
        self.kept_count = 0
        self.status = KeyringStatus("fake.Keyring", True)

    async def find(self, provider_id, *, reference="", key_env="", asks_keyring=True, account="default"):
        provider_id = provider_id if account == "default" else account
        if provider_id in self.held:
            return KeySource("session", self.held[provider_id])
        if reference != "keyring":
            name = reference.removeprefix("env:") or key_env
            if name in self.environment:
                return KeySource(f"env:{name}", self.environment[name])
            if reference:
                return KeySource(problem=f"The environment variable {name} is not set.")
            if not asks_keyring:
                return KeySource()
        self.asked.append(provider_id)
        await self.gate.wait()
        if not self.status.is_usable:
            return KeySource(problem=self.status.problem)
        if self.failure is not None:
            return KeySource(problem=f"{self.failure.message}.")
        stored = self.stored.get(provider_id)
        return KeySource("keyring", stored) if stored else KeySource()

    async def keep(self, provider_id, value, *, account="default"):
        provider_id = provider_id if account == "default" else account
        self.kept_count += 1
        await self.gate.wait()
        if self.failure is not None:
            raise self.failure
        self.stored[provider_id] = value
        self.held.pop(provider_id, None)
        self.changed.emit(provider_id)

    async def remove(self, provider_id, *, account="default"):
        provider_id = provider_id if account == "default" else account
        await self.gate.wait()
        if self.failure is not None:
            raise self.failure
        self.held.pop(provider_id, None)
        self.stored.pop(provider_id, None)
        self.changed.emit(provider_id)

    def hold(self, provider_id, value, *, account="default"):
        if " " in value:
            raise SecretUnavailable("The key has a blank inside", "Copy it once more.")
        provider_id = provider_id if account == "default" else account
        self.held[provider_id] = value
        self.changed.emit(provider_id)

    async def keyring_status(self):
        return self.status


class FakeLlama:
    """The built-in model's server without a process; ``failure`` is what starting raises."""

    def __init__(self) -> None:
        self.state = LlamaState.STOPPED
        self.states: Emitter[LlamaState] = Emitter()
        self.failure: ConfigurationError | None = None
        self.calls: list[str] = []

    def become(self, state: LlamaState) -> None:
        self.state = state
        self.states.emit(state)

    async def aclose(self) -> None:
        self.calls.append("aclose")
        self.become(LlamaState.STOPPED)

    async def acquire(self) -> tuple[str, str]:
        self.calls.append("acquire")
        self.become(LlamaState.STARTING)
        await asyncio.sleep(0)
        if self.failure is not None:
            self.become(LlamaState.CRASHED)
            raise self.failure
        self.become(LlamaState.RUNNING)
        return "http://127.0.0.1:1", "key"


class FakeWorkspace:
    """What ``SettingsDialog`` is given; ``changes`` are those that were asked for, in order."""

    def __init__(self, folder: Path, *, entries: tuple[ProviderEntry, ...] = (BUILTIN, GROQ, LOCAL, OPENAI)) -> None:
        self.file = SettingsFile(folder / "settings.toml")
        self.secrets = FakeSecrets()
        self.registry = SimpleNamespace(llama=FakeLlama(), secrets=Secrets())
        self.settings_changed: Emitter[Settings] = Emitter()
        self.entries = entries
        self.changes: list[dict[str, object]] = []
        self.failure: ConfigurationError | None = None

    @property
    def settings(self) -> Settings:
        return self.file.current()

    @property
    def settings_problem(self) -> ErrorRecord | None:
        _ = self.settings
        return self.file.problem.to_record() if self.file.problem is not None else None

    async def change_settings(self, changes: dict[str, object]) -> None:
        self.changes.append(changes)
        settings = self.settings
        for key, value in changes.items():
            settings = changed(settings, key, value)
        await asyncio.to_thread(self.file.save, settings)
        self.settings_changed.emit(settings)

    async def forget_refused(self, model_ref: str, members: Iterable[str]) -> None:
        forgotten = frozenset(members)
        kept = [member for member in self.settings.models[model_ref].refused if member not in forgotten]
        await self.change_settings({f"models.{model_ref}.refused": kept or None})

    def providers(self) -> tuple[ProviderEntry, ...]:
        if self.failure is not None:
            raise self.failure
        return self.entries


async def until(condition: Callable[[], object], *, limit_s: float = 10.0) -> None:
    """Returns as soon as ``condition`` holds; fails the test if that takes too long."""
    async with asyncio.timeout(limit_s):
        while not condition():
            await asyncio.sleep(0.01)


def press(widget: QWidget, key: Qt.Key) -> None:
    """Presses a key. Unlike ``QTest`` it runs no events meanwhile, so no task starts inside the test's own."""
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(widget, QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier))


def type_text(widget: QWidget, text: str) -> None:
    """Types a text in place of what is there, as ``press`` presses keys."""
    none = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(widget, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier))
    for character in text:
        QApplication.sendEvent(widget, QKeyEvent(QEvent.Type.KeyPress, 0, none, character))
