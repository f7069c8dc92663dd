"""``SecretStore``: where a provider's key comes from and where it is kept (SEC1, SEC2).

A key is in the operating system's key store, in a named environment variable, or in memory for this session; no key
reaches a file. A key store may wait for the user to unlock it, for ever if it likes; so it is asked on a thread of its
own that nobody waits for at exit, with a timeout, and a missing or locked one never stops the start.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from agdesk.core.emitter import Emitter
from agdesk.core.errors import SecretUnavailable
from agdesk.core.settings.key_entry import KeyEntry
from agdesk.core.settings.keyring_backend import chosen_backend, class_name, trusted_backend
from agdesk.core.settings.keyring_thread import Permit, ask_on_thread

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

T = TypeVar("T")

DEFAULT_ACCOUNT = "default"
UNLOCK_TIMEOUT_S = 60.0  # as long as a person may take to answer the unlock dialog


@dataclass(frozen=True, slots=True)
class KeySource:
    """A key and where it was found.

    Attributes:
        source: ``session``, ``keyring`` or ``env:NAME``; None if there is no key.
        value: the key itself; not in the repr.
        problem: a sentence: why there is no key, if the reason is more than that nobody gave one.
    """

    source: str | None = None
    value: str | None = field(default=None, repr=False)
    problem: str = ""


@dataclass(frozen=True, slots=True)
class KeyringStatus:
    """Which key store there is: ``backend`` is its class; ``problem`` says why it is not usable."""

    backend: str
    is_usable: bool
    problem: str = ""


class SecretStore:
    """Finds, keeps and removes keys.

    A key that passes through is told to ``on_secret`` before anything else happens with it. Cancelling a call gives up
    waiting at once; its thread may stay in the unlock dialog. What was given up is not done later: a write or a removal
    that had not begun when its caller gave up (timeout or cancelling) never begins. One that had begun goes on to its
    end, and if it succeeds ``changed`` tells so.

    Attributes:
        changed: whose key was added or removed: the account's id, the provider's if it is the default account; emitted
            on the thread of the loop that asked.

    Args:
        on_secret: is told every key: the redactor's set.
        environment: where the named variables are looked up.
        load_backend: gives keyring's chosen backend; runs on a thread.
        timeout_s: how long the key store may take.
    """

    def __init__(
        self,
        on_secret: Callable[[str], None],
        *,
        environment: Mapping[str, str] = os.environ,
        load_backend: Callable[[], KeyringBackend] = chosen_backend,
        timeout_s: float = UNLOCK_TIMEOUT_S,
    ) -> None:
        self.changed: Emitter[str] = Emitter()
        self._on_secret = on_secret
        self._environment = environment
        self._load_backend = load_backend
        self._timeout_s = timeout_s
        self._held: dict[tuple[str, str], str] = {}

    async def find(
        self,
        provider_id: str,
        *,
        reference: str = "",
        key_env: str = "",
        asks_keyring: bool = True,
        account: str = DEFAULT_ACCOUNT,
    ) -> KeySource:
        """The key of a provider's account: the one held for this session, else the one that ``reference`` names.

        ``env:NAME`` is that variable and nothing else, ``keyring`` is the key store and nothing else. Without a
        reference it is the variable ``key_env`` if that is set, else the key store; without ``asks_keyring`` that is
        left alone then: a server that needs no key must not wait for an unlock dialog. A failure is a ``problem``.
        """
        if held := self._held.get((provider_id, account)):
            return self._found("session", held)
        if reference != "keyring":
            named = reference.removeprefix("env:")
            variable = named or key_env
            if value := self._environment.get(variable, "").strip():
                return self._found(f"env:{variable}", value)
            if named:
                return KeySource(problem=f"The environment variable {named} is not set.")
            if not asks_keyring:
                return KeySource()
        try:
            stored = await self._ask(lambda: self._entry(provider_id, account).read())
        except SecretUnavailable as error:
            return KeySource(problem=f"{error.message}.")
        except TimeoutError:
            return KeySource(problem=f"{_too_slow().message}.")
        return self._found("keyring", stored) if stored else KeySource()

    def is_set(
        self, provider_id: str, *, reference: str = "", key_env: str = "", account: str = DEFAULT_ACCOUNT
    ) -> bool:
        """Whether ``find`` has a place to look in that is not known to be empty; the key store is not asked."""
        if (provider_id, account) in self._held or reference == "keyring":
            return True
        return bool(self._environment.get(reference.removeprefix("env:") or key_env, "").strip())

    async def keep(self, provider_id: str, value: str, *, account: str = DEFAULT_ACCOUNT) -> None:
        """Puts a key into the key store, in place of the old one and of one held for this session.

        Returns when the key has been read back. After a timeout the error says whether it may still be stored.

        Raises:
            SecretUnavailable: it is no key, or the key store cannot keep it.
        """
        key = self._checked(value)

        def write(entry: KeyEntry) -> bool:
            entry.write(key)
            return True

        await self._change(provider_id, account, write, secret=key)
        self._held.pop((provider_id, account), None)
        self.changed.emit(_owner(provider_id, account))

    async def remove(self, provider_id: str, *, account: str = DEFAULT_ACCOUNT) -> None:
        """Forgets a key: the one held for this session and the stored one. Nothing to remove is no error.

        Raises:
            SecretUnavailable: the key store cannot remove it; the session's key is forgotten all the same.
        """
        was_held = self._held.pop((provider_id, account), None) is not None
        if was_held:
            self.changed.emit(_owner(provider_id, account))
        try:
            was_stored = await self._change(provider_id, account, KeyEntry.remove)
        except SecretUnavailable:
            # no key store, so the session's key was all there was
            if was_held and not (await self.keyring_status()).is_usable:
                return
            raise
        if was_stored:
            self.changed.emit(_owner(provider_id, account))

    def hold(self, provider_id: str, value: str, *, account: str = DEFAULT_ACCOUNT) -> None:
        """Holds a key in memory until the program ends; it comes before every other one.

        Raises:
            SecretUnavailable: it is no key.
        """
        self._held[provider_id, account] = self._checked(value)
        self.changed.emit(_owner(provider_id, account))

    async def keyring_status(self) -> KeyringStatus:
        """The key store in use, without reading from it: never opens an unlock dialog."""

        def inspect() -> KeyringStatus:
            backend = self._load_backend()
            try:
                return KeyringStatus(class_name(trusted_backend(backend)), True)
            except SecretUnavailable as error:
                return KeyringStatus(class_name(backend), False, f"{error.message}.")

        try:
            return await self._ask(inspect)
        except SecretUnavailable as error:
            return KeyringStatus("none", False, f"{error.message}.")
        except TimeoutError:
            return KeyringStatus("none", False, f"{_too_slow().message}.")

    def _entry(self, provider_id: str, account: str) -> KeyEntry:
        return KeyEntry(trusted_backend(self._load_backend()), provider_id, account)

    async def _ask(
        self, question: Callable[[], T], *, on_late: Callable[[T], None] | None = None, secret: str = ""
    ) -> T:
        return await ask_on_thread(question, timeout_s=self._timeout_s, on_late=on_late, secret=secret)

    def _found(self, source: str, value: str) -> KeySource:
        self._on_secret(value)
        return KeySource(source, value)

    def _checked(self, value: str) -> str:
        key = value.strip()
        self._on_secret(key)
        if not key:
            problem = "The key is empty"
        elif any(character.isspace() for character in key):
            problem = "The key has a blank or a line break inside"
        elif not key.isprintable():
            problem = "The key has a control character inside"
        elif not key.isascii():
            problem = "The key has a character that no key can have"
        else:
            return key
        raise SecretUnavailable(problem, "Copy it once more, the key alone.")

    async def _change(
        self, provider_id: str, account: str, change: Callable[[KeyEntry], bool], *, secret: str = ""
    ) -> bool:
        """Runs ``change`` on the stored key; gives what it gives: whether something has changed."""
        permit = Permit()

        def unlock_and_change() -> bool:
            entry = self._entry(provider_id, account)
            entry.unlock()  # the dialog belongs to this call, which changes nothing
            return permit.begin() and change(entry)

        def on_late(has_changed: bool) -> None:
            if has_changed:
                self.changed.emit(_owner(provider_id, account))

        try:
            return await self._ask(unlock_and_change, on_late=on_late, secret=secret)
        except TimeoutError:
            raise _too_slow(done="stored" if secret else "removed", may_follow=permit.withdraw()) from None
        finally:
            permit.withdraw()


def _owner(provider_id: str, account: str) -> str:
    return provider_id if account == DEFAULT_ACCOUNT else account


def _too_slow(*, done: str = "", may_follow: bool = False) -> SecretUnavailable:
    if may_follow:
        return SecretUnavailable(
            "The key store did not answer in time", f"The key may still be {done} if you unlock it now."
        )
    nothing = f"Nothing was {done}. " if done else ""
    return SecretUnavailable(
        "The key store did not answer in time; it may be waiting to be unlocked",
        f"{nothing}Unlock it and try again, or give the key for this session only.",
    )
