"""Where a provider's key comes from: a named environment variable, else the operating system's key store (SEC1).

Nothing is written here and no key reaches a file. A key store may wait for the user to unlock it, for ever if it
likes; so it is asked on a thread of its own that nobody waits for at exit, with a timeout, and every failure is a
value: a missing or locked key store never stops the start (SEC2).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

T = TypeVar("T")

DEFAULT_ACCOUNT = "default"
UNLOCK_TIMEOUT_S = 60.0  # as long as a person may take to answer the unlock dialog

# The key stores of the operating systems. A backend from elsewhere (keyrings.alt writes plain text; keyringrc.cfg may
# name any module) is refused.
_TRUSTED = frozenset(
    f"keyring.backends.{name}" for name in ("macOS", "Windows", "SecretService", "kwallet", "libsecret")
)


@dataclass(frozen=True, slots=True)
class KeySource:
    """A key and where it was found.

    Attributes:
        source: ``env:NAME``, ``keyring``, or None if there is no key.
        value: the key itself; not in the repr.
        problem: why the key store could not be asked, if it was needed and failed.
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


class Keys:
    """Finds keys.

    Args:
        on_secret: is told every key that is found, before anyone else: the redactor's set.
        environment: where the named variables are looked up.
        load_backend: gives keyring's chosen backend; runs on a thread.
        timeout_s: how long the key store may take.
    """

    def __init__(
        self,
        on_secret: Callable[[str], None],
        *,
        environment: Mapping[str, str] = os.environ,
        load_backend: Callable[[], KeyringBackend] | None = None,
        timeout_s: float = UNLOCK_TIMEOUT_S,
    ) -> None:
        self._on_secret = on_secret
        self._environment = environment
        self._load_backend = load_backend or _chosen_backend
        self._timeout_s = timeout_s

    async def find(
        self, provider_id: str, *, key_env: str = "", asks_keyring: bool = True, account: str = DEFAULT_ACCOUNT
    ) -> KeySource:
        """The key of a provider's account: from the variable ``key_env`` if that is set, else from the key store.

        In the key store the service is ``agdesk/<provider>/<account>`` and the user name is the account. Without
        ``asks_keyring`` it is left alone: a server that needs no key must not wait for an unlock dialog.
        """
        if value := self._environment.get(key_env, "").strip():
            return self._found(KeySource(f"env:{key_env}", value))
        if not asks_keyring:
            return KeySource()
        service = f"agdesk/{provider_id}/{account}"

        def look_up() -> str | None:
            return _accepted(self._load_backend()).get_password(service, account)

        outcome = await self._ask(look_up)
        if isinstance(outcome, str) and (value := outcome.strip()):
            return self._found(KeySource("keyring", value))
        return KeySource(problem=_explain(outcome)) if isinstance(outcome, BaseException) else KeySource()

    async def keyring_status(self) -> KeyringStatus:
        """The key store in use, without reading from it: never opens an unlock dialog."""

        def inspect() -> KeyringStatus:
            backend = self._load_backend()
            try:
                return KeyringStatus(_class_name(_accepted(backend)), True)
            except _Refused as error:
                return KeyringStatus(_class_name(backend), False, str(error))

        outcome = await self._ask(inspect)
        return outcome if isinstance(outcome, KeyringStatus) else KeyringStatus("none", False, _explain(outcome))

    def _found(self, key: KeySource) -> KeySource:
        assert key.value is not None
        self._on_secret(key.value)
        return key

    async def _ask(self, call: Callable[[], T]) -> T | BaseException:
        """What ``call`` returns or raises on a thread of its own.

        Not ``asyncio.to_thread``: its threads are joined at exit, and this one may hang in an unlock dialog.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T | BaseException] = loop.create_future()

        def settle(outcome: T | BaseException) -> None:
            if not answer.done():
                answer.set_result(outcome)

        def work() -> None:
            outcome: T | BaseException = RuntimeError("it failed unexpectedly, see the log")
            try:
                outcome = call()
            except _expected_failures() as error:
                outcome = error
            finally:  # an error nobody foresaw goes to threading.excepthook, and the caller must not wait for it
                with contextlib.suppress(RuntimeError):  # the loop is closed
                    loop.call_soon_threadsafe(settle, outcome)

        threading.Thread(target=work, name="key store", daemon=True).start()
        try:
            async with asyncio.timeout(self._timeout_s):
                return await answer
        except TimeoutError as error:
            return error


class _Refused(Exception):
    """The chosen backend is no key store of an operating system."""


def _chosen_backend() -> KeyringBackend:
    import keyring

    return keyring.get_keyring()


def _accepted(backend: KeyringBackend) -> KeyringBackend:
    """``backend`` itself, or the first trusted one of a chain."""
    from keyring.backends.chainer import ChainerBackend

    members = list(backend.backends) if isinstance(backend, ChainerBackend) else [backend]
    for member in members:
        if type(member).__module__ in _TRUSTED:
            return member
    raise _Refused(f"{_class_name(backend)} does not keep secrets in the operating system's key store")


def _expected_failures() -> tuple[type[BaseException], ...]:
    # ImportError, AttributeError, ValueError: a backend named in the environment or in keyringrc.cfg that is none
    from keyring.errors import KeyringError

    return (KeyringError, _Refused, OSError, RuntimeError, ImportError, AttributeError, ValueError)


def _class_name(backend: KeyringBackend) -> str:
    return f"{type(backend).__module__}.{type(backend).__qualname__}"


def _explain(failure: object) -> str:
    match failure:
        case TimeoutError():
            return "The key store did not answer in time; it may be waiting to be unlocked."
        case _Refused():
            return f"{failure}."
        case _:
            return f"The key store failed: {type(failure).__name__}: {failure}"
