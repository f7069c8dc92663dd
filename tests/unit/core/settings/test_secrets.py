"""Keys: where they are found, which key stores are refused, and that no failure gets out."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest
from keyring.backends import chainer, fail, null
from keyring.errors import InitError, KeyringLocked
from typing_extensions import override

from agdesk.core.settings.secrets import KeyringStatus, Keys


class SystemStore:
    """Stands for a key store of the operating system: it is trusted by the name of its module.

    Not a ``KeyringBackend``: keyring would list it among the real ones.
    """

    def __init__(self, entries: dict[tuple[str, str], str] | None = None, failure: Exception | None = None):
        self.entries = entries or {}
        self.failure = failure

    def get_password(self, service, username):
        if self.failure is not None:
            raise self.failure
        return self.entries.get((service, username))


class PlainTextFile(SystemStore):
    pass


SystemStore.__module__ = "keyring.backends.SecretService"
PlainTextFile.__module__ = "keyrings.alt.file"
STORED = {("agdesk/openai/default", "default"): "sk-stored", ("agdesk/openai/work", "work"): "sk-work\n"}


def key_store_threads():
    return [thread for thread in threading.enumerate() if thread.name == "key store"]


async def key_store_threads_end():
    for thread in key_store_threads():
        await asyncio.to_thread(thread.join)


def keys(backend: Any = None, *, environment=(), seen=None, timeout_s=5.0):
    store: Any = SystemStore() if backend is None else backend
    return Keys(
        (seen if seen is not None else []).append,
        environment=dict(environment),
        load_backend=lambda: store,
        timeout_s=timeout_s,
    )


async def test_a_key_of_the_environment_comes_first_and_names_its_variable():
    found = await keys(SystemStore(STORED), environment={"OPENAI_API_KEY": " sk-env\n"}).find(
        "openai", key_env="OPENAI_API_KEY"
    )
    assert (found.source, found.value) == ("env:OPENAI_API_KEY", "sk-env")


@pytest.mark.parametrize("environment", [{}, {"OPENAI_API_KEY": "  "}])
async def test_without_a_variable_the_key_store_is_asked_under_provider_and_account(environment):
    store = keys(SystemStore(STORED), environment=environment)
    found = await store.find("openai", key_env="OPENAI_API_KEY")
    assert (found.source, found.value) == ("keyring", "sk-stored")
    assert (await store.find("openai", account="work")).value == "sk-work"


async def test_no_key_anywhere_is_no_problem():
    found = await keys(SystemStore()).find("openai", key_env="OPENAI_API_KEY")
    assert (found.source, found.value, found.problem) == (None, None, "")


async def test_a_provider_that_needs_no_key_leaves_the_key_store_alone():
    store = SystemStore(failure=AssertionError("it was asked"))
    assert (await keys(store).find("custom", key_env="AGDESK_CUSTOM_KEY", asks_keyring=False)).source is None


async def test_every_found_key_is_made_known_to_the_redactor_before_it_is_returned():
    seen: list[str] = []
    await keys(SystemStore(STORED), seen=seen).find("openai")
    await keys(environment={"K": "sk-env"}, seen=seen).find("openai", key_env="K")
    assert seen == ["sk-stored", "sk-env"]


async def test_a_key_does_not_show_in_a_repr():
    assert "sk-env" not in repr(await keys(environment={"K": "sk-env"}).find("x", key_env="K"))


@pytest.mark.parametrize(
    "failure",
    [
        KeyringLocked("locked"),
        InitError("Prompt dismissed"),
        RuntimeError("no recommended backend"),
        ModuleNotFoundError("No module named 'evil'"),
        OSError("no bus"),
    ],
)
async def test_a_key_store_that_fails_is_a_problem_and_never_an_exception(failure):
    found = await keys(SystemStore(failure=failure)).find("openai")
    assert found.value is None
    assert str(failure) in found.problem


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
async def test_a_failure_nobody_foresaw_does_not_leave_the_caller_waiting():
    found = await keys(SystemStore(failure=ZeroDivisionError())).find("openai")
    assert "failed unexpectedly" in found.problem
    await key_store_threads_end()


async def test_a_key_store_that_waits_for_the_user_is_given_up_and_its_thread_never_delays_the_exit():
    is_answered = threading.Event()

    class Waiting(SystemStore):
        @override
        def get_password(self, service, username):
            is_answered.wait(10)
            return "sk-late"

    Waiting.__module__ = SystemStore.__module__
    start = time.perf_counter()
    found = await keys(Waiting(), timeout_s=0.05).find("openai")
    assert time.perf_counter() - start < 2
    assert found.value is None
    assert "did not answer in time" in found.problem
    assert [thread.daemon for thread in key_store_threads()] == [True]
    is_answered.set()
    await key_store_threads_end()


async def test_the_key_store_is_not_asked_on_the_loops_thread():
    asked_on = []

    class Curious(SystemStore):
        @override
        def get_password(self, service, username):
            asked_on.append(threading.current_thread())
            return None

    Curious.__module__ = SystemStore.__module__
    await keys(Curious()).find("openai")
    assert asked_on != [threading.current_thread()]


async def test_a_store_of_the_system_is_usable():
    status = await keys(SystemStore()).keyring_status()
    assert status == KeyringStatus("keyring.backends.SecretService.SystemStore", True)


@pytest.mark.parametrize("backend", [null.Keyring(), fail.Keyring(), PlainTextFile(STORED)])
async def test_null_fail_and_plain_text_stores_are_refused_for_status_and_for_keys(backend):
    status = await keys(backend).keyring_status()
    assert not status.is_usable
    assert type(backend).__module__ in status.backend
    found = await keys(backend).find("openai")
    assert found.value is None
    assert found.problem


async def test_of_a_chain_only_a_trusted_member_is_asked(monkeypatch):
    members = [PlainTextFile({("agdesk/openai/default", "default"): "sk-plain"}), SystemStore(STORED)]
    monkeypatch.setattr(chainer.ChainerBackend, "backends", members)
    assert (await keys(chainer.ChainerBackend()).find("openai")).value == "sk-stored"
    monkeypatch.setattr(chainer.ChainerBackend, "backends", members[:1])
    assert (await keys(chainer.ChainerBackend()).find("openai")).value is None
    assert not (await keys(chainer.ChainerBackend()).keyring_status()).is_usable


async def test_the_backend_that_keyring_chooses_is_the_one_reported():
    # the suite's environment names the fail backend
    status = await Keys(print).keyring_status()
    assert status.backend == "keyring.backends.fail.Keyring"
    assert not status.is_usable


@pytest.mark.keyring
async def test_a_key_in_the_real_secret_service_is_found():
    import keyring

    await asyncio.to_thread(keyring.set_password, "agdesk/test-provider/default", "default", "sk-real-secret")
    try:
        found = await Keys(print).find("test-provider")
        assert (found.source, found.value) == ("keyring", "sk-real-secret")
        assert (await Keys(print).keyring_status()).is_usable
    finally:
        await asyncio.to_thread(keyring.delete_password, "agdesk/test-provider/default", "default")
