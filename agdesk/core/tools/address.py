"""Addresses of servers, read strictly: what could be read in two ways is none (SEC4)."""

from __future__ import annotations

import contextlib
import ipaddress
import re
import socket
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

_PORTS = {"http": 80, "https": 443}
_HOST = r"(?:[a-z0-9_](?:[a-z0-9_.-]{0,250}[a-z0-9_])?|\[[0-9a-f:.]+\])"
_ADDRESS = re.compile(
    rf"(https?)://({_HOST})(?::([0-9]{{1,5}}))?(?:[/?#][^\s\\\x00-\x1f\x7f]*)?", re.ASCII | re.IGNORECASE
)
_SCHEME = re.compile(r"^(?:[a-z][a-z0-9+.-]*:(?=[/\\])|https?:)")
_BARE = re.compile(rf"({_HOST})(?::([0-9]{{1,5}}))?", re.ASCII | re.IGNORECASE)


class Address(NamedTuple):
    """Where an URL leads.

    Attributes:
        scheme: ``http`` or ``https``; empty for a host alone.
        host: lower case, without brackets; an IP address in its usual form.
        port: None if it is a host alone that names none.
    """

    scheme: str
    host: str
    port: int | None

    @property
    def has_usual_port(self) -> bool:
        """Whether the port is the scheme's own."""
        return self.port == _PORTS.get(self.scheme)


def parse_address(text: str) -> Address | None:
    """The address of an http or https URL; None for anything else.

    None as well: a user name in it, a host that is not ASCII (its ``xn--`` form is), that ends in a dot or is a number
    other than an IP address in its usual form, and white space or a backslash anywhere.
    """
    found = _ADDRESS.fullmatch(text)
    if found is None:
        return None
    scheme = found[1].lower()
    return _address(scheme, found[2], found[3] or str(_PORTS[scheme]))


def parse_host(text: str) -> Address | None:
    """The same for a host alone, with or without a port."""
    found = _BARE.fullmatch(text)
    return _address("", found[1], found[2]) if found is not None and text.isascii() else None


def possible_hosts(text: str) -> Iterator[str]:
    """Every host that some program might read in a text that is meant as an address, as ``Address.host`` has it."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    plain = "".join(c for c in plain if c.isprintable() and not c.isspace())
    authorities = {_authority(plain), _authority(plain.replace("\\", "/"))}
    for piece in (piece for authority in authorities for piece in authority.split("@")):
        name = piece[1:].partition("]")[0] if piece.startswith("[") else piece.partition(":")[0]
        name = name.replace("。", ".").rstrip(".")
        yield name
        with contextlib.suppress(OSError, ValueError):
            yield socket.inet_ntoa(socket.inet_aton(name))
        with contextlib.suppress(UnicodeError):
            yield name.encode("idna").decode("ascii")


def _authority(text: str) -> str:
    return re.split(r"[/?#]", _SCHEME.sub("", text, count=1).lstrip("/"), maxsplit=1)[0]


def is_reachable_by_all(address: str) -> bool:
    """Whether an IP address is of the open internet: no loopback, private, link-local, shared, reserved or group one.

    Addresses that hold another one (mapped, 6to4, NAT64, Teredo) are judged by that one too.
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    inner: list[ipaddress.IPv4Address | None] = []
    if isinstance(ip, ipaddress.IPv6Address):
        inner += [ip.ipv4_mapped, ip.sixtofour, *(ip.teredo or ())]
        if ip in _NAT64 or int(ip) >> 32 == 0:
            inner.append(ipaddress.IPv4Address(int(ip) & 0xFFFF_FFFF))
    return all(one.is_global and not one.is_multicast for one in [ip, *filter(None, inner)])


_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


def _address(scheme: str, host: str, port: str | None) -> Address | None:
    name = host.strip("[]").lower()
    last = name.rpartition(".")[2]
    if host.startswith("[") or last.isdigit() or re.fullmatch(r"0x[0-9a-f]*", last):
        try:
            name = str(ipaddress.ip_address(name))
        except ValueError:
            return None
    if ".." in name or (port is not None and int(port) > 65_535):
        return None
    return Address(scheme, name, int(port) if port is not None else None)
