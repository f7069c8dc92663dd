"""The real Secret Service, locked, with nobody to unlock it: run by ``test_sessions.py``."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import warnings

import pytest

from agdesk.core.errors import SecretUnavailable
from agdesk.core.settings.secrets import SecretStore

pytestmark = pytest.mark.keyring


@pytest.fixture(autouse=True, scope="module")
def _locked():
    from tests.keyring.service import is_locked

    if not is_locked():
        pytest.skip("the Secret Service is unlocked")


@pytest.fixture(autouse=True)
def _open_connections():
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # keyring closes no connection to a service that refuses
        gc.collect()


async def test_the_service_is_there_and_its_status_is_known_without_a_dialog():
    status = await SecretStore(lambda _: None).keyring_status()
    assert (status.backend, status.is_usable) == ("keyring.backends.SecretService.Keyring", True)


async def test_finding_keeping_and_removing_say_that_it_is_locked_and_what_to_do():
    store = SecretStore(lambda _: None)
    assert "is locked" in (await store.find("openai")).problem
    for call in (store.keep("openai", "sk-never-stored"), store.remove("openai")):
        with pytest.raises(SecretUnavailable, match="is locked") as caught:
            await call
        assert "this session only" in caught.value.hint


async def test_the_session_goes_on_with_a_key_in_memory():
    store = SecretStore(lambda _: None)
    store.hold("openai", "sk-session")
    assert (await store.find("openai")).source == "session"


def test_doctor_and_ask_explain_and_end(tmp_path):
    def agdesk(*arguments):
        command = [sys.executable, "-m", "agdesk", "--data-dir", str(tmp_path), *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=55, check=False, env=os.environ)

    document = json.loads(agdesk("doctor", "--json").stdout)
    assert "is locked" in document["keyring"]["problem"]
    assert {row["key_present"] for row in document["providers"]} == {False}
    asked = agdesk("ask", "--model", "openai/gpt-5", "Hi")
    assert asked.returncode == 1
    assert "The key store is locked" in asked.stderr and "Settings › Providers" in asked.stderr
