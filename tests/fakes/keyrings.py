"""Key stores in memory: those that work, and those that refuse, lose, limit, quote or hang.

None is a ``KeyringBackend``: keyring would list it among the real ones. They are trusted by the name of their module.
"""

from __future__ import annotations

import asyncio
import threading
from typing import Any

from keyring.errors import PasswordDeleteError
from typing_extensions import override

from agdesk.core.settings.secrets import SecretStore

Name = tuple[str, str]  # service, user name


class MemoryKeyring:
    """Stands for a key store of the operating system; every call may fail with ``failure``."""

    def __init__(self, entries: dict[Name, str] | None = None, failure: Exception | None = None) -> None:
        self.entries = dict(entries or {})
        self.failure = failure

    def get_password(self, service: str, username: str) -> str | None:
        self._fail()
        return self.entries.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._fail()
        self.entries[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        self._fail()
        if self.entries.pop((service, username), None) is None:
            raise PasswordDeleteError("No such password!")

    def _fail(self) -> None:
        if self.failure is not None:
            raise self.failure


class PlainTextKeyring(MemoryKeyring):
    """One that agdesk refuses."""


class SwallowingKeyring(MemoryKeyring):
    """Takes everything and keeps nothing."""

    @override
    def set_password(self, service: str, username: str, password: str) -> None:
        pass


class ClingingKeyring(MemoryKeyring):
    """Gives nothing up."""

    @override
    def delete_password(self, service: str, username: str) -> None:
        pass


class LimitedKeyring(MemoryKeyring):
    """Windows: an entry has 2,560 bytes of UTF-16. Fails after ``writes_left`` writes."""

    def __init__(self, entries: dict[Name, str] | None = None) -> None:
        super().__init__(entries)
        self.writes_left: int | None = None

    @override
    def set_password(self, service: str, username: str, password: str) -> None:
        if len(password.encode("utf-16-le")) > 2560:
            raise OSError(1783, "The stub received bad data")
        if self.writes_left is not None:
            if self.writes_left == 0:
                raise OSError("it was unplugged")
            self.writes_left -= 1
        super().set_password(service, username, password)


class QuotingKeyring(MemoryKeyring):
    """Fails with an error that quotes what it was given."""

    @override
    def set_password(self, service: str, username: str, password: str) -> None:
        raise ValueError(f"{password!r} is not a valid password for {username}")


class ShadowedKeyring(MemoryKeyring):
    """Has an entry of another program under the same name, which is found first."""

    def __init__(self, shadow: str) -> None:
        super().__init__()
        self.shadow: str | None = shadow

    @override
    def get_password(self, service: str, username: str) -> str | None:
        return self.shadow or super().get_password(service, username)

    @override
    def delete_password(self, service: str, username: str) -> None:
        if self.shadow is None:
            super().delete_password(service, username)
        self.shadow = None


class LockedKeyring(MemoryKeyring):
    """Opens an unlock dialog on the first call, which returns when ``unlock`` is set, or ``patience_s`` later."""

    def __init__(self, entries: dict[Name, str] | None = None, *, patience_s: float = 30.0) -> None:
        super().__init__(entries)
        self._patience_s = patience_s
        self.is_asking = threading.Event()
        self.unlock = threading.Event()

    @override
    def _fail(self) -> None:
        self.is_asking.set()
        self.unlock.wait(self._patience_s)
        super()._fail()


class SlowWritingKeyring(MemoryKeyring):
    """Is open, and hangs in the middle of a write until ``finish`` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.is_writing = threading.Event()
        self.finish = threading.Event()

    @override
    def set_password(self, service: str, username: str, password: str) -> None:
        self.is_writing.set()
        self.finish.wait(30)
        super().set_password(service, username, password)


for _class in (MemoryKeyring, SwallowingKeyring, ClingingKeyring, QuotingKeyring, ShadowedKeyring):
    _class.__module__ = "keyring.backends.SecretService"
LockedKeyring.__module__ = SlowWritingKeyring.__module__ = "keyring.backends.SecretService"
LimitedKeyring.__module__ = "keyring.backends.Windows"
PlainTextKeyring.__module__ = "keyrings.alt.file"


def secret_store(
    backend: Any = None,
    *,
    environment: dict[str, str] | None = None,
    seen: list[str] | None = None,
    timeout_s: float = 10.0,
) -> SecretStore:
    """A store over ``backend``, an empty one if none is given; ``seen`` collects what the redactor is told."""
    chosen: Any = MemoryKeyring() if backend is None else backend
    return SecretStore(
        (seen if seen is not None else []).append,
        environment=environment or {},
        load_backend=lambda: chosen,
        timeout_s=timeout_s,
    )


def key_store_threads() -> list[threading.Thread]:
    """The threads that are asking a key store now."""
    return [thread for thread in threading.enumerate() if thread.name == "key store"]


async def key_store_threads_end() -> None:
    """Waits until no thread asks a key store, and what they had to tell has arrived."""
    for thread in key_store_threads():
        await asyncio.to_thread(thread.join)
    await asyncio.sleep(0)
