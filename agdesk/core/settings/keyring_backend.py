"""Which key store is used, and what its failures mean.

``keyring`` may be told by a variable or a file which class to use, from any module in any folder. Only the key stores
of the operating systems are taken; a name from elsewhere is refused before its module is imported.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from agdesk.core.errors import SecretUnavailable

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

_FAIL, _NULL, _CHAIN = (f"keyring.backends.{name}" for name in ("fail", "null", "chainer"))
_TRUSTED = frozenset(
    f"keyring.backends.{name}" for name in ("macOS", "Windows", "SecretService", "kwallet", "libsecret")
)
_ENTRY_CHARS = {"keyring.backends.Windows": 1280}  # 2,560 bytes of UTF-16; the others take 20,000 characters and more
_MAC_LIBRARIES = "keyring.backends.macOS.api"
_VARIABLE = "PYTHON_KEYRING_BACKEND"
_INSTEAD = "Until then give the key for this session only, or name an environment variable in Settings › Providers."
_QUOTE_CHARS = 8  # an error text with this much of a key is not repeated

# What the libraries below keyring raise and keyring lets through; looked up only where the library is loaded.
_LIBRARY_ERRORS = (
    ("secretstorage.exceptions", "SecretStorageException"),
    ("jeepney", "DBusErrorResponse"),
    ("dbus.exceptions", "DBusException"),
    ("pywintypes", "error"),
    ("win32ctypes.pywin32.pywintypes", "error"),
)


def chosen_backend() -> KeyringBackend:
    """The backend that keyring chooses: configured, else the best there is. Takes 100 ms the first time.

    Raises:
        SecretUnavailable: the configured one is none that agdesk trusts, or there is none.
    """
    import keyring

    name, place = _configured()
    if name and name.rpartition(".")[0] not in {*_TRUSTED, _FAIL, _NULL, _CHAIN}:
        raise _refusal(name, place)
    if sys.platform != "darwin":
        # it would look for the libraries of macOS with gcc and ld, which get all variables, the keys among them (SEC1)
        sys.modules[_MAC_LIBRARIES] = None  # type: ignore[assignment]
    try:
        return keyring.get_keyring()
    except RuntimeError as error:  # the configured backend says that it cannot work here
        raise _no_key_store(f": {error}") from None


def trusted_backend(backend: KeyringBackend) -> KeyringBackend:
    """``backend`` itself, or the first trusted one of a chain.

    Raises:
        SecretUnavailable: there is none.
    """
    from keyring.backends.chainer import ChainerBackend

    members = list(backend.backends) if isinstance(backend, ChainerBackend) else [backend]
    for member in members:
        if type(member).__module__ in _TRUSTED:
            return member
    modules = {type(member).__module__ for member in members}
    if modules <= {_FAIL}:
        raise _no_key_store()
    if modules == {_NULL}:
        raise SecretUnavailable(
            "The null key store is chosen, which keeps nothing", f"Choose another in {_VARIABLE}. {_INSTEAD}"
        )
    raise _refusal(class_name(members[0]), "keyring")


def class_name(backend: KeyringBackend) -> str:
    """The backend's class with its module."""
    return f"{type(backend).__module__}.{type(backend).__qualname__}"


def entry_chars(backend: KeyringBackend) -> int | None:
    """How many characters one entry takes; None if there is no limit that a key comes near to."""
    return _ENTRY_CHARS.get(type(backend).__module__)


def expected_failures() -> tuple[type[BaseException], ...]:
    """What a key store and the libraries below it may raise."""
    import configparser

    from keyring.errors import KeyringError

    loaded = ((sys.modules.get(module), name) for module, name in _LIBRARY_ERRORS)
    library_errors = (getattr(module, name) for module, name in loaded if module is not None)
    # the last four: a backend that was configured and is none, a value in it that is no text
    own = (SecretUnavailable, KeyringError, OSError, RuntimeError, EOFError)
    return (*own, *library_errors, configparser.Error, ImportError, AttributeError, ValueError)


def unavailable(failure: BaseException, *, secret: str = "") -> SecretUnavailable:
    """What a failure means to the user. It never quotes ``secret``, whatever the key store says."""
    from keyring.errors import NoKeyringError

    if isinstance(failure, SecretUnavailable):
        return failure
    if isinstance(failure, NoKeyringError):
        return _no_key_store()
    text = str(failure)
    if type(failure).__name__ in ("KeyringLocked", "LockedException") or "dismissed" in text.lower():
        return SecretUnavailable("The key store is locked", f"Unlock it and try again. {_INSTEAD}")
    if any(secret[i : i + _QUOTE_CHARS] in text for i in range(0, len(secret), _QUOTE_CHARS)):
        text = "its message is left out because it quotes the key"
    return SecretUnavailable(f"The key store failed: {type(failure).__name__}: {text}", _INSTEAD)


def _configured() -> tuple[str, str]:
    """The class that is configured, if one is, and where."""
    import configparser

    from keyring.util import platform_

    if _VARIABLE in os.environ:
        return os.environ[_VARIABLE], _VARIABLE
    path = platform_.config_root() / "keyringrc.cfg"
    parser = configparser.RawConfigParser()
    parser.read(path, encoding="utf-8")
    if parser.has_option("backend", "keyring-path"):
        raise SecretUnavailable(
            f"{path} makes keyring load modules from a folder of its own", f"Remove keyring-path from it. {_INSTEAD}"
        )
    return parser.get("backend", "default-keyring", fallback="").strip(), str(path)


def _refusal(name: str, place: str) -> SecretUnavailable:
    return SecretUnavailable(
        f"{name}, chosen by {place}, does not keep secrets in the operating system's key store",
        f"Remove that choice. {_INSTEAD}",
    )


def _no_key_store(detail: str = "") -> SecretUnavailable:
    return SecretUnavailable(
        f"There is no key store on this system{detail}",
        f"On Linux start a Secret Service, such as GNOME Keyring, KWallet or KeePassXC. {_INSTEAD}",
    )
