"""The real Secret Service, unlocked: run by ``test_sessions.py``, or by hand inside ``dbus-run-session``."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys

import pytest

from agdesk.core.errors import SecretUnavailable
from agdesk.core.settings import keyring_backend
from agdesk.core.settings.secrets import SecretStore
from tests.fakes.canary import CANARY, find_leaks, leaks_in, run_watched
from tests.fakes.keyrings import key_store_threads, key_store_threads_end
from tests.fakes.script import END, SSE, FakeServer, head, send

pytestmark = pytest.mark.keyring
HAS_SECRET_TOOL = shutil.which("secret-tool") is not None
LONG = ("0123456789abcdef" * 200)[:3000]


@pytest.fixture(autouse=True, scope="module")
def _running():
    from tests.keyring.service import wait_until_running

    wait_until_running()


def real_store(**options):
    """A new one each time: nothing comes from memory."""
    return SecretStore(lambda _: None, **options)


def secret_tool(*arguments, stdin=""):
    """Another program, which knows nothing of agdesk."""
    return subprocess.run(
        ["secret-tool", *arguments], input=stdin, capture_output=True, text=True, timeout=30, check=False
    )


def is_seen_elsewhere(key, *name):
    """Whether another program finds ``key`` (empty: nothing) under a name; taken as so where there is none to ask."""
    return HAS_SECRET_TOOL is False or secret_tool("lookup", *name).stdout == key


def names(provider_id, account="default", number=None):
    service = f"agdesk/{provider_id}/{account}" + (f"/{number}" if number else "")
    return ("service", service, "username", account)


async def test_the_real_service_is_the_key_store_and_is_usable():
    status = await real_store().keyring_status()
    assert (status.backend, status.is_usable) == ("keyring.backends.SecretService.Keyring", True)


async def test_a_key_is_kept_found_by_another_program_too_and_removed():
    store = real_store()
    await store.keep("openai", "sk-real-one")
    found = await real_store().find("openai")
    assert (found.source, found.value) == ("keyring", "sk-real-one")
    assert is_seen_elsewhere("sk-real-one", *names("openai"))
    await store.keep("openai", "sk-real-two")
    assert is_seen_elsewhere("sk-real-two", *names("openai"))
    await store.remove("openai")
    assert (await store.find("openai")).value is None
    assert is_seen_elsewhere("", *names("openai"))
    await store.remove("openai")


async def test_two_accounts_of_a_provider_are_two_keys():
    store = real_store()
    await store.keep("openai", "sk-home")
    await store.keep("openai", "sk-work", account="work")
    assert (await store.find("openai")).value == "sk-home"
    assert (await store.find("openai", account="work")).value == "sk-work"
    await store.remove("openai", account="work")
    assert (await store.find("openai")).value == "sk-home"
    assert (await store.find("openai", account="work")).value is None
    await store.remove("openai")


@pytest.mark.parametrize("limit", [None, 1280])
async def test_d14_a_long_key_is_whole_in_one_entry_or_in_several(limit, monkeypatch):
    monkeypatch.setattr(keyring_backend, "_ENTRY_CHARS", {"keyring.backends.SecretService": limit} if limit else {})
    store = real_store()
    await store.keep("long", LONG)
    assert (await store.find("long")).value == LONG
    parts = ("", "", "", "") if limit is None else (LONG[:1280], LONG[1280:2560], LONG[2560:], "")
    for number, part in enumerate(parts, 1):
        assert is_seen_elsewhere(part, *names("long", number=number))
    await store.keep("long", "sk-short")
    assert (await store.find("long")).value == "sk-short"
    assert is_seen_elsewhere("", *names("long", number=1))
    await store.remove("long")
    assert is_seen_elsewhere("", *names("long"))


@pytest.mark.skipif(not HAS_SECRET_TOOL, reason="secret-tool is not installed")
async def test_a_key_that_another_program_stored_is_found_and_replaced_and_removed():
    assert secret_tool("store", "--label=by hand", *names("openai"), stdin="sk-by-hand").returncode == 0
    store = real_store()
    assert (await store.find("openai")).value == "sk-by-hand"
    await store.keep("openai", "sk-new")
    assert (await store.find("openai")).value == "sk-new"
    await store.remove("openai")
    assert (await store.find("openai")).value is None


async def test_a_service_that_hangs_is_given_up_by_timeout_and_by_cancelling_and_works_again_later():
    from tests.keyring.service import process_id

    await real_store().keep("openai", "sk-kept")
    daemon = process_id()
    os.kill(daemon, signal.SIGSTOP)
    try:
        slow = real_store(timeout_s=0.5)
        assert "did not answer in time" in (await slow.find("openai")).problem
        with pytest.raises(SecretUnavailable, match="in time") as caught:
            await slow.keep("openai", "sk-too-late")
        assert "Nothing was stored" in caught.value.hint
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.5):
                await real_store().find("openai")
        assert len(key_store_threads()) == 3
    finally:
        os.kill(daemon, signal.SIGCONT)
    await key_store_threads_end()
    assert (await real_store().find("openai")).value == "sk-kept"
    await real_store().remove("openai")


async def test_sec1_a_stored_key_reaches_its_provider_and_no_file_output_or_process(tmp_path):
    store = real_store()
    await store.keep("openai", CANARY)
    home, data = tmp_path / "home", tmp_path / "data"
    home.mkdir()
    env = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")} | {"HOME": str(home)}
    answer = 'data: {"choices": [{"index": 0, "delta": {"content": "Hello"}, "finish_reason": "stop"}]}\n\n'
    with FakeServer() as server:
        server.script(head(200, SSE, ("x-echo", CANARY)), send(answer + "data: [DONE]\n\n"), END)
        server.script(head(401), send(f"a page that says {CANARY}"), END)
        agdesk = (sys.executable, "-m", "agdesk", "--data-dir", str(data))
        question = ("ask", "--model", "openai/gpt-5", "--base-url", server.base_url, "--events", "Hi")
        runs = [
            await asyncio.to_thread(run_watched, (*agdesk, *arguments), env=env)
            for arguments in (question, question, ("doctor",))
        ]
        assert [run.status for run in runs] == [0, 1, 0], runs
        assert [request.headers["authorization"] for request in server.requests] == [f"Bearer {CANARY}"] * 2
    assert "provider openai: key present: yes (keyring)" in runs[2].output
    assert [leak for run in runs for leak in leaks_in(run.output.encode() + run.seen, CANARY, place="")] == []
    assert find_leaks(tmp_path, CANARY) == []


async def test_the_last_key_stays_for_the_session_that_finds_the_service_locked():
    await real_store().keep("openai", CANARY)
    assert is_seen_elsewhere(CANARY, *names("openai"))
