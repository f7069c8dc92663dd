"""Where keys are found, in which order, and that no failure gets out of a search."""

from __future__ import annotations

import asyncio
import threading

import pytest
from keyring.backends import chainer, fail, null
from keyring.errors import InitError, KeyringLocked, NoKeyringError
from typing_extensions import override

from agdesk.core.settings.secrets import KeyringStatus, SecretStore
from tests.fakes.keyrings import (
    LockedKeyring,
    MemoryKeyring,
    PlainTextKeyring,
    key_store_threads,
    key_store_threads_end,
    secret_store,
)

STORED = {("agdesk/openai/default", "default"): "sk-stored", ("agdesk/openai/work", "work"): "sk-work\n"}
NEVER_ASKED = AssertionError("the key store was asked")


async def test_a_key_of_the_environment_comes_first_and_names_its_variable():
    found = await secret_store(MemoryKeyring(STORED), environment={"OPENAI_API_KEY": " sk-env\n"}).find(
        "openai", key_env="OPENAI_API_KEY"
    )
    assert (found.source, found.value) == ("env:OPENAI_API_KEY", "sk-env")


@pytest.mark.parametrize("environment", [{}, {"OPENAI_API_KEY": "  "}])
async def test_without_a_variable_the_key_store_is_asked_under_provider_and_account(environment):
    store = secret_store(MemoryKeyring(STORED), environment=environment)
    found = await store.find("openai", key_env="OPENAI_API_KEY")
    assert (found.source, found.value) == ("keyring", "sk-stored")
    assert (await store.find("openai", account="work")).value == "sk-work"


async def test_no_key_anywhere_is_no_problem():
    found = await secret_store().find("openai", key_env="OPENAI_API_KEY")
    assert (found.source, found.value, found.problem) == (None, None, "")


async def test_a_provider_that_needs_no_key_leaves_the_key_store_alone():
    store = secret_store(MemoryKeyring(failure=NEVER_ASKED))
    assert (await store.find("custom", key_env="AGDESK_CUSTOM_KEY", asks_keyring=False)).source is None


# --- references and the session's key ---


async def test_a_reference_to_a_variable_is_that_variable_and_nothing_else():
    environment = {"OPENAI_API_KEY": "sk-usual", "MY_KEY": "sk-mine"}
    store = secret_store(MemoryKeyring(failure=NEVER_ASKED), environment=environment)
    found = await store.find("openai", reference="env:MY_KEY", key_env="OPENAI_API_KEY")
    assert (found.source, found.value) == ("env:MY_KEY", "sk-mine")
    missing = await store.find("openai", reference="env:MY_OTHER_KEY", key_env="OPENAI_API_KEY")
    assert (missing.source, missing.value) == (None, None)
    assert missing.problem == "The environment variable MY_OTHER_KEY is not set."


@pytest.mark.parametrize("asks_keyring", [True, False])
async def test_a_reference_to_the_key_store_passes_the_variable_over(asks_keyring):
    store = secret_store(MemoryKeyring(STORED), environment={"OPENAI_API_KEY": "sk-env"})
    found = await store.find("openai", reference="keyring", key_env="OPENAI_API_KEY", asks_keyring=asks_keyring)
    assert (found.source, found.value) == ("keyring", "sk-stored")


@pytest.mark.parametrize("reference", ["", "keyring", "env:MY_KEY", "env:NOT_SET"])
async def test_the_key_of_this_session_comes_before_every_other(reference):
    environment = {"OPENAI_API_KEY": "sk-env", "MY_KEY": "sk-mine"}
    store = secret_store(MemoryKeyring(STORED), environment=environment)
    store.hold("openai", "sk-session")
    found = await store.find("openai", reference=reference, key_env="OPENAI_API_KEY", asks_keyring=False)
    assert (found.source, found.value) == ("session", "sk-session")
    assert (await store.find("openai", account="work")).value == "sk-work"
    assert (await store.find("anthropic")).value is None


# --- secrecy ---


async def test_every_found_key_is_made_known_to_the_redactor_before_it_is_returned():
    seen: list[str] = []
    await secret_store(MemoryKeyring(STORED), seen=seen).find("openai")
    await secret_store(environment={"K": "sk-env"}, seen=seen).find("openai", key_env="K")
    assert seen == ["sk-stored", "sk-env"]


async def test_a_key_does_not_show_in_a_repr():
    store = secret_store(environment={"K": "sk-env"})
    store.hold("y", "sk-held")
    assert "sk-env" not in repr(await store.find("x", key_env="K"))
    assert "sk-held" not in repr(store)


# --- key stores that fail ---


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (KeyringLocked("Failed to unlock the collection!"), "is locked"),
        (InitError("Failed to create the collection: Prompt dismissed.."), "is locked"),
        (NoKeyringError("No recommended backend"), "no key store on this system"),
        (RuntimeError("the wallet said no"), "the wallet said no"),
        (ModuleNotFoundError("No module named 'evil'"), "No module named 'evil'"),
        (OSError("no bus"), "no bus"),
    ],
)
async def test_a_key_store_that_fails_is_a_problem_and_never_an_exception(failure, words):
    found = await secret_store(MemoryKeyring(failure=failure)).find("openai")
    assert found.value is None
    assert words in found.problem


@pytest.mark.parametrize(("name", "words"), [("LockedException", "is locked"), ("SecretStorageException", "no reply")])
async def test_an_error_of_the_library_below_keyring_is_a_problem_too(name, words):
    exceptions = pytest.importorskip("secretstorage.exceptions", reason="only Linux has it")
    failure = getattr(exceptions, name)("no reply")
    assert words in (await secret_store(MemoryKeyring(failure=failure)).find("openai")).problem


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
async def test_a_failure_nobody_foresaw_does_not_leave_the_caller_waiting():
    found = await secret_store(MemoryKeyring(failure=ZeroDivisionError())).find("openai")
    assert "failed unexpectedly" in found.problem
    await key_store_threads_end()


async def test_a_key_store_that_waits_for_the_user_is_given_up_and_its_thread_never_delays_the_exit():
    backend = LockedKeyring(STORED)
    found = await secret_store(backend, timeout_s=0.05).find("openai")
    assert found.value is None
    assert "did not answer in time" in found.problem
    assert [thread.daemon for thread in key_store_threads()] == [True]
    backend.unlock.set()
    await key_store_threads_end()


async def test_cancelling_gives_up_while_the_key_store_still_waits():
    backend = LockedKeyring(STORED)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):  # the store itself would wait for ten seconds
            await secret_store(backend).find("openai")
    assert key_store_threads() != []
    backend.unlock.set()
    await key_store_threads_end()


async def test_the_key_store_is_not_asked_on_the_loops_thread():
    asked_on = []

    class Curious(MemoryKeyring):
        @override
        def get_password(self, service, username):
            asked_on.append(threading.current_thread())
            return None

    Curious.__module__ = MemoryKeyring.__module__
    await secret_store(Curious()).find("openai")
    assert asked_on != [threading.current_thread()]


# --- which key store ---


async def test_a_store_of_the_system_is_usable():
    status = await secret_store().keyring_status()
    assert status == KeyringStatus("keyring.backends.SecretService.MemoryKeyring", True)


async def test_the_status_never_opens_an_unlock_dialog():
    backend = LockedKeyring()
    assert (await secret_store(backend).keyring_status()).is_usable
    assert not backend.is_asking.is_set()


@pytest.mark.parametrize(
    ("backend", "words"),
    [
        (null.Keyring(), "null key store"),
        (fail.Keyring(), "no key store on this system"),
        (PlainTextKeyring(STORED), "keyrings.alt.file.PlainTextKeyring"),
    ],
)
async def test_null_fail_and_plain_text_stores_are_refused_for_status_and_for_keys(backend, words):
    status = await secret_store(backend).keyring_status()
    assert not status.is_usable
    assert type(backend).__module__ in status.backend
    found = await secret_store(backend).find("openai")
    assert found.value is None
    assert words in found.problem
    assert words in status.problem


async def test_of_a_chain_only_a_trusted_member_is_asked(monkeypatch):
    members = [PlainTextKeyring({("agdesk/openai/default", "default"): "sk-plain"}), MemoryKeyring(STORED)]
    monkeypatch.setattr(chainer.ChainerBackend, "backends", members)
    assert (await secret_store(chainer.ChainerBackend()).find("openai")).value == "sk-stored"
    monkeypatch.setattr(chainer.ChainerBackend, "backends", members[:1])
    assert (await secret_store(chainer.ChainerBackend()).find("openai")).value is None
    assert not (await secret_store(chainer.ChainerBackend()).keyring_status()).is_usable
    monkeypatch.setattr(chainer.ChainerBackend, "backends", [])
    assert "no key store on this system" in (await secret_store(chainer.ChainerBackend()).keyring_status()).problem


async def test_the_backend_that_keyring_chooses_is_the_one_reported():
    # the suite's environment names the fail backend
    status = await SecretStore(print).keyring_status()
    assert status.backend == "keyring.backends.fail.Keyring"
    assert not status.is_usable
