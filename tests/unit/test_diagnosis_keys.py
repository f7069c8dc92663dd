"""The keys in a report: it never hangs, and however many providers there are, the key store fails once (RUN4)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from keyring.errors import KeyringLocked
from typing_extensions import override

from agdesk import diagnosis
from agdesk.core.providers.registry import ProviderRegistry
from agdesk.diagnosis import as_text, examine
from tests.fakes.keyrings import (
    LockedKeyring,
    MemoryKeyring,
    PlainTextKeyring,
    key_store_threads,
    key_store_threads_end,
    secret_store,
)


class CountingKeyring(MemoryKeyring):
    """Counts how often it is asked."""

    count = 0

    @override
    def get_password(self, service, username):
        self.count += 1
        return super().get_password(service, username)


CountingKeyring.__module__ = MemoryKeyring.__module__


@pytest.fixture
def report(tmp_path):
    """The report with a key store; two providers want a key from it, ``openai`` and ``custom``."""
    (tmp_path / "settings.toml").write_text('version = 2\n[providers.custom]\nkey = "keyring"\n')
    registry = ProviderRegistry(data_folder=tmp_path)
    workspace: Any = SimpleNamespace(registry=registry, settings_problem=None, data_dir=tmp_path)

    async def make(backend, **environment):
        registry.keys = secret_store(backend, environment=environment)
        document = await examine(workspace)
        return document, {row["id"]: row for row in document["providers"]}

    return make


async def test_a_key_store_that_hangs_costs_one_time_limit(report, monkeypatch):
    monkeypatch.setattr(diagnosis, "_KEYRING_LIMIT_S", 0.5)
    backend = LockedKeyring({("agdesk/openai/default", "default"): "sk-stored"})
    document, providers = await report(backend)
    assert len(key_store_threads()) == 1, "the second provider's key was not asked for"
    assert "did not answer in time" in document["keyring"]["problem"]
    assert (providers["openai"]["key_present"], providers["custom"]["key_present"]) == (False, False)
    text = as_text(document)
    assert "provider openai: key present: no (set OPENAI_API_KEY; the key store was not asked)" in text
    backend.unlock.set()
    await key_store_threads_end()


async def test_a_key_of_the_environment_is_found_while_the_key_store_hangs(report, monkeypatch):
    monkeypatch.setattr(diagnosis, "_KEYRING_LIMIT_S", 0.2)
    backend = LockedKeyring()
    _, providers = await report(backend, OPENAI_API_KEY="sk-env")
    assert providers["openai"]["source"] == "env:OPENAI_API_KEY"
    backend.unlock.set()
    await key_store_threads_end()


async def test_a_locked_key_store_is_asked_once(report):
    backend = CountingKeyring(failure=KeyringLocked("locked"))
    document, providers = await report(backend)
    assert backend.count == 1
    assert document["keyring"]["usable"] is False
    assert document["keyring"]["problem"] == "The key store is locked."
    assert not any(row["key_present"] for row in providers.values())


async def test_a_refused_key_store_is_not_asked_at_all(report):
    document, providers = await report(PlainTextKeyring({("agdesk/openai/default", "default"): "sk-plain"}))
    assert "keyrings.alt.file" in document["keyring"]["problem"]
    assert providers["openai"]["key_present"] is False


async def test_a_stored_key_is_present_and_not_printed(report):
    stored = {("agdesk/openai/default", "default"): "sk-stored-1", ("agdesk/custom/default", "default"): "sk-stored-2"}
    document, providers = await report(MemoryKeyring(stored))
    assert (providers["openai"]["source"], providers["custom"]["source"]) == ("keyring", "keyring")
    assert (document["keyring"]["usable"], document["keyring"]["problem"]) == (True, None)
    assert "sk-stored" not in as_text(document) + str(document)
