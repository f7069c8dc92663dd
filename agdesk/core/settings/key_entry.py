"""A key in the key store: one entry, or numbered ones if it is longer than an entry may be (D14). Every call blocks."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from agdesk.core.errors import SecretUnavailable
from agdesk.core.settings.keyring_backend import entry_chars

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

_COPIES = 10  # another program may have made entries of the same name; keyring removes one at a time


class KeyEntry:
    """The key of one account of one provider, in the service ``agdesk/<provider>/<account>``, user name the account.

    A key that is too long stands in the services ``…/1``, ``…/2`` and so on; the entry itself then is
    ``split <count> <digest>``, which no key can be: it has blanks. The digest tells parts of different keys apart,
    which a write that was cut short leaves behind. Numbered entries never have a gap.

    Any call raises what the backend raises, and ``SecretUnavailable`` where it says so.
    """

    def __init__(self, backend: KeyringBackend, provider_id: str, account: str) -> None:
        self._backend = backend
        self._service = f"agdesk/{provider_id}/{account}"
        self._account = account

    def unlock(self) -> None:
        """Opens the unlock dialog if there is to be one, and changes nothing."""
        self._get(0)

    def read(self) -> str | None:
        """The key, None if there is none.

        Raises:
            SecretUnavailable: a part of it is missing.
        """
        first = (self._get(0) or "").strip()
        split = re.fullmatch(r"split (\d+) ([0-9a-f]+)", first)
        if split is None:
            return first or None
        key = "".join(self._get(number) or "" for number in range(1, int(split[1]) + 1))
        if _digest(key) != split[2]:
            raise SecretUnavailable("The key in the key store is incomplete", "Enter it again in Settings › Providers.")
        return key

    def write(self, key: str) -> None:
        """Stores the key in place of what was there, and reads it back.

        Raises:
            SecretUnavailable: what is read back is not what was written.
        """
        limit = entry_chars(self._backend) or len(key)
        parts = [key[i : i + limit] for i in range(0, len(key), limit)] if len(key) > limit else []
        for number, part in enumerate(parts, 1):
            self._put(number, part)
        self._put(0, f"split {len(parts)} {_digest(key)}" if parts else key)
        self._remove_parts(after=len(parts))

    def remove(self) -> bool:
        """Removes all of it; False if nothing was there."""
        return self._remove(0) | self._remove_parts(after=0)

    def _put(self, number: int, text: str) -> None:
        self._set(number, text)
        if self._get(number) != text:  # a second entry of that name, made by another program, hides this one
            self._remove(number)
            self._set(number, text)
        if self._get(number) != text:
            raise SecretUnavailable(
                "The key store did not keep the key: it does not give back what was stored",
                "Give the key for this session only, or name an environment variable in Settings › Providers.",
            )

    def _remove_parts(self, *, after: int) -> bool:
        last = after
        while self._get(last + 1) is not None:
            last += 1
        for number in range(last, after, -1):  # from the end: what is left after a failure has no gap
            self._remove(number)
        return last > after

    def _remove(self, number: int) -> bool:
        for copies in range(_COPIES):
            if self._get(number) is None:
                return copies > 0
            self._backend.delete_password(self._name(number), self._account)
        raise SecretUnavailable("The key store did not remove the key", "Remove it with the key store's own program.")

    def _get(self, number: int) -> str | None:
        return self._backend.get_password(self._name(number), self._account)

    def _set(self, number: int, text: str) -> None:
        self._backend.set_password(self._name(number), self._account, text)

    def _name(self, number: int) -> str:
        return f"{self._service}/{number}" if number else self._service


def _digest(key: str) -> str:
    return hashlib.blake2b(key.encode(), digest_size=8, person=b"agdesk").hexdigest()
