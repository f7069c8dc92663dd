"""Rows of ``resources/providers/``: one TOML file is one endpoint, no code (PROV1).

A row's fields are those of ``Endpoint``; its tables ``[dialect]`` and ``[[models]]`` have those of ``Dialect`` and
``ModelInfo``. TOML has no null, so a timeout that never ends is written ``"none"``. Loads pydantic.
"""

from __future__ import annotations

import dataclasses
import functools
import ipaddress
import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from agdesk.core.errors import ConfigurationError
from agdesk.core.providers.base import Endpoint, ModelInfo
from agdesk.core.settings.paths import resource
from agdesk.core.settings.validation import TypeAdapter, ValidationError
from agdesk.core.trace.redact import is_secret_header


@functools.cache
def shipped_endpoints() -> Mapping[str, Endpoint]:
    """Every row that comes with agdesk, by id, sorted by file name."""
    files = sorted(resource("providers").glob("*.toml"))
    return {endpoint.id: endpoint for endpoint in map(read_endpoint, files)}


def read_endpoint(path: Path) -> Endpoint:
    """The endpoint of one row.

    Raises:
        ConfigurationError: names the file and the field.
    """
    try:
        row = tomllib.loads(path.read_text("utf-8"))
        row = {key: None if key.endswith("_timeout_s") and value == "none" else value for key, value in row.items()}
        row.setdefault("needs_key", bool(row.get("key_env")))  # a row that names no variable asks for no key
        endpoint = _ENDPOINT.validate_json(json.dumps(row), strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise _wrong(path, ".".join(map(str, first["loc"])), first["msg"]) from error
    except (OSError, TypeError, ValueError) as error:  # TypeError: a date or time, which no field is
        raise ConfigurationError(f"{path}: {error}", "Correct the file.") from error
    if unknown := _unknown_field(row, dataclasses.asdict(endpoint)):
        raise _wrong(path, unknown, "there is no such field")
    if endpoint.key_header and not is_secret_header(endpoint.key_header):
        raise _wrong(path, "key_header", "the inspector would show what is in a header of this name")
    if endpoint.id != path.stem:
        raise _wrong(path, "id", "it is not the name of the file")
    return dataclasses.replace(endpoint, models=tuple(map(_with_source, endpoint.models)))


def normalize_base_url(typed: str, *, base_path: str = "/v1") -> str:
    """A base URL as users type it, in the form requests are built on (L15).

    The scheme is added (``http`` for this machine and private networks), the path of a request, a doubled ``/v1`` and
    slashes at the end go, a bare host gets ``base_path``, and ``localhost`` becomes ``127.0.0.1``: it may mean ``::1``
    first, where local servers often do not listen.

    Raises:
        ConfigurationError: it is no HTTP address, or it carries a password or a query.
    """
    text = typed.strip()
    if "://" not in text:
        text = f"{'http' if is_local_host(_host('//' + text)) else 'https'}://{text}"
    if any(mark in text for mark in "@?#"):  # before anything quotes it: it may hold a password
        raise ConfigurationError(
            "A base URL holds no password, query or fragment", "Give the key as the provider's key instead."
        )
    host = _host(text)
    if not re.fullmatch(r"[\w.:-]+", host) or not text.lower().startswith(("http://", "https://")):
        raise ConfigurationError(f"{typed!r} is not the address of a server", "Write it as https://host/v1.")
    parts = urlsplit(text)
    if host == "localhost":
        host = "127.0.0.1"
    authority = f"[{host}]" if ":" in host else host
    if parts.port is not None:
        authority += f":{parts.port}"
    path = _REQUEST_PATH.sub("", parts.path.rstrip("/")).rstrip("/")
    while path.endswith("/v1/v1"):
        path = path.removesuffix("/v1")
    return f"{parts.scheme}://{authority}{path or base_path}"


def is_local_host(host: str) -> bool:
    """Whether a host is this machine or in a private network, as far as its name tells (L16)."""
    if host == "localhost" or host.endswith((".localhost", ".local")):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_private


def at_base_url(endpoint: Endpoint, base_url: str) -> Endpoint:
    """The endpoint at another address, as the user typed it; a local server may take its time for the first byte (D13).

    Raises:
        ConfigurationError: ``base_url`` is no address.
    """
    url = normalize_base_url(base_url, base_path=endpoint.base_path)
    is_local = is_local_host(_host(url))
    return dataclasses.replace(
        endpoint,
        base_url=url,
        is_local=is_local,
        first_byte_timeout_s=None if is_local else endpoint.first_byte_timeout_s,
    )


_ENDPOINT = TypeAdapter(Endpoint)
_REQUEST_PATH = re.compile(r"/(chat/completions|chat|responses|messages|models(/[^/]+)?)$")


def _with_source(model: ModelInfo) -> ModelInfo:
    known = {name: "preset" for name, value in dataclasses.asdict(model.features).items() if value is not None}
    return dataclasses.replace(model, source=known)


def _host(url: str) -> str:
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises for a port that is no number
        return parts.hostname or ""
    except ValueError:
        return ""


def _unknown_field(row: Mapping[str, Any], known: Mapping[str, Any], place: str = "") -> str:
    """The first field of ``row``, at any depth, that its endpoint (``known``, as a dict) does not have."""
    for key, value in row.items():
        if key not in known:
            return f"{place}{key}"
        pairs = zip(value, known[key], strict=True) if isinstance(value, list) else [(value, known[key])]
        for number, (inner, inner_known) in enumerate(pairs):
            step = f"{key}.{number}." if isinstance(value, list) else f"{key}."
            if isinstance(inner, dict) and (found := _unknown_field(inner, inner_known, f"{place}{step}")):
                return found
    return ""


def _wrong(path: Path, field: str, reason: str) -> ConfigurationError:
    return ConfigurationError(f"{path}, field {field}: {reason}", "Correct the file.")
