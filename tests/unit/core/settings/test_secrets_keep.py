"""Keeping, holding and removing keys, and what becomes of a change that nobody waits for any more."""

from __future__ import annotations

import asyncio
import traceback

import pytest
from keyring.backends import fail, null
from keyring.errors import KeyringLocked

from agdesk.core.errors import SecretUnavailable
from agdesk.core.tasks import spawn
from tests.fakes.keyrings import (
    ClingingKeyring,
    LimitedKeyring,
    LockedKeyring,
    MemoryKeyring,
    PlainTextKeyring,
    QuotingKeyring,
    ShadowedKeyring,
    SlowWritingKeyring,
    SwallowingKeyring,
    key_store_threads_end,
    secret_store,
)

NAME = ("agdesk/openai/default", "default")
KEY = "sk-proj-0123456789abcdef"


def changes_of(store):
    changes: list[str] = []
    store.changed.subscribe(changes.append)
    return changes


async def poll(event):
    """A thread's event, awaited without taking the loop's thread."""
    while not event.is_set():
        await asyncio.sleep(0.002)


# --- what works ---


async def test_a_kept_key_is_in_the_key_store_and_is_found():
    backend = MemoryKeyring()
    store = secret_store(backend)
    changes = changes_of(store)
    await store.keep("openai", f"  {KEY}\n")
    assert backend.entries == {NAME: KEY}
    assert ((await store.find("openai")).source, changes) == ("keyring", ["openai"])


async def test_two_accounts_do_not_know_each_other():
    backend = MemoryKeyring()
    store = secret_store(backend)
    await store.keep("openai", "sk-one")
    await store.keep("openai", "sk-two", account="work")
    await store.remove("openai")
    assert backend.entries == {("agdesk/openai/work", "work"): "sk-two"}


async def test_a_kept_key_takes_the_place_of_the_sessions_key():
    store = secret_store()
    store.hold("openai", "sk-session")
    await store.keep("openai", KEY)
    found = await store.find("openai")
    assert (found.source, found.value) == ("keyring", KEY)


async def test_a_held_key_reaches_no_key_store_and_is_told_of():
    backend = MemoryKeyring()
    store = secret_store(backend)
    changes = changes_of(store)
    store.hold("openai", KEY)
    assert (backend.entries, changes) == ({}, ["openai"])


async def test_removing_takes_the_sessions_key_and_the_stored_one():
    backend = MemoryKeyring({NAME: "sk-stored"})
    store = secret_store(backend)
    store.hold("openai", "sk-session")
    changes = changes_of(store)
    await store.remove("openai")
    assert (await store.find("openai")).value is None
    assert backend.entries == {}
    assert set(changes) == {"openai"}


async def test_removing_what_is_not_there_is_no_error_and_no_news():
    store = secret_store()
    changes = changes_of(store)
    await store.remove("openai")
    assert changes == []


async def test_an_entry_of_another_program_under_the_same_name_does_not_hide_the_key():
    store = secret_store(ShadowedKeyring("sk-by-hand"))
    await store.keep("openai", KEY)
    assert (await store.find("openai")).value == KEY


async def test_a_key_is_made_known_to_the_redactor_before_anything_else_happens():
    seen: list[str] = []
    with pytest.raises(SecretUnavailable):
        await secret_store(null.Keyring(), seen=seen).keep("openai", KEY)
    with pytest.raises(SecretUnavailable):
        secret_store(seen=seen).hold("openai", "has a blank")
    assert seen == [KEY, "has a blank"]


# --- what is no key ---


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("", "empty"),
        ("  \n", "empty"),
        ("Bearer sk-1234", "blank"),
        ("sk-1\nsk-2", "line break"),
        ("sk-1\u00a0234", "blank"),
        ("sk-\x00123", "control character"),
        ("sk-\x1b[A", "control character"),
        ("sk-123…", "no key can have"),
    ],
)
async def test_what_is_no_key_is_refused_with_the_reason_and_is_not_quoted(value, words):
    backend = MemoryKeyring()
    store = secret_store(backend)
    with pytest.raises(SecretUnavailable, match=words) as kept:
        await store.keep("openai", value)
    with pytest.raises(SecretUnavailable, match=words):
        store.hold("openai", value)
    assert backend.entries == {}
    assert (await store.find("openai")).value is None
    assert not value.strip() or value.strip() not in f"{kept.value.message}{kept.value.hint}"


# --- key stores that fail ---

REFUSALS = [
    (fail.Keyring(), "no key store on this system"),
    (null.Keyring(), "null key store"),
    (PlainTextKeyring(), "does not keep secrets in the operating system's key store"),
    (MemoryKeyring(failure=KeyringLocked("Failed to unlock the item!")), "is locked"),
    (MemoryKeyring(failure=OSError(5, "the disk is gone")), "the disk is gone"),
    (SwallowingKeyring(), "did not keep the key"),
]


@pytest.mark.parametrize(("backend", "words"), REFUSALS)
async def test_a_key_that_cannot_be_kept_is_an_error_with_a_next_step_and_no_news(backend, words):
    store = secret_store(backend)
    changes = changes_of(store)
    with pytest.raises(SecretUnavailable, match=words) as caught:
        await store.keep("openai", KEY)
    assert "this session only" in caught.value.hint
    assert KEY not in "".join(traceback.format_exception(caught.value))
    assert changes == []


def test_every_reason_has_words_of_its_own():
    assert len({words for _, words in REFUSALS}) == len(REFUSALS)


async def test_the_sessions_key_outlives_a_failure_to_keep_one():
    store = secret_store(fail.Keyring())
    store.hold("openai", "sk-session")
    with pytest.raises(SecretUnavailable):
        await store.keep("openai", KEY)
    assert (await store.find("openai")).value == "sk-session"


async def test_a_key_store_that_quotes_the_key_in_its_error_is_not_quoted():
    with pytest.raises(SecretUnavailable, match="ValueError") as caught:
        await secret_store(QuotingKeyring()).keep("openai", KEY)
    shown = "".join(traceback.format_exception(caught.value)) + repr(caught.value.to_record())
    assert KEY[:8] not in shown


async def test_without_a_key_store_the_sessions_key_is_all_there_is_to_remove():
    store = secret_store(fail.Keyring())
    store.hold("openai", KEY)
    await store.remove("openai")
    assert (await store.find("openai")).value is None
    with pytest.raises(SecretUnavailable, match="no key store"):
        await store.remove("openai")


@pytest.mark.parametrize(
    ("backend", "words"),
    [
        (ClingingKeyring({NAME: KEY}), "did not remove"),
        (MemoryKeyring(failure=KeyringLocked("locked")), "is locked"),
    ],
)
async def test_a_stored_key_that_cannot_be_removed_is_an_error_and_the_sessions_key_is_gone(backend, words):
    store = secret_store(backend, environment={"K": "sk-env"})
    store.hold("openai", "sk-session")
    with pytest.raises(SecretUnavailable, match=words):
        await store.remove("openai")
    assert (await store.find("openai", key_env="K")).source == "env:K"


# --- nobody waits any more ---


@pytest.mark.parametrize("stored", [{}, {NAME: "sk-old"}])
async def test_a_key_whose_unlock_dialog_outlasts_the_timeout_is_never_stored(stored):
    backend = LockedKeyring(stored)
    store = secret_store(backend, timeout_s=0.05)
    changes = changes_of(store)
    with pytest.raises(SecretUnavailable, match="in time") as caught:
        await store.keep("openai", KEY)
    assert "Nothing was stored" in caught.value.hint
    backend.unlock.set()
    await key_store_threads_end()
    assert (backend.entries, changes) == (stored, [])


async def test_a_removal_whose_unlock_dialog_outlasts_the_timeout_never_happens():
    backend = LockedKeyring({NAME: KEY})
    with pytest.raises(SecretUnavailable, match="in time") as caught:
        await secret_store(backend, timeout_s=0.05).remove("openai")
    assert "Nothing was removed" in caught.value.hint
    backend.unlock.set()
    await key_store_threads_end()
    assert backend.entries == {NAME: KEY}


async def test_a_cancelled_keep_ends_at_once_and_is_never_stored():
    backend = LockedKeyring()
    store = secret_store(backend)
    keeping = spawn(store.keep("openai", KEY), name="keep")
    await poll(backend.is_asking)
    keeping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await keeping
    assert not backend.unlock.is_set(), "it did not wait for the dialog"
    backend.unlock.set()
    await key_store_threads_end()
    assert backend.entries == {}


async def test_a_write_that_hangs_may_still_be_stored_says_so_and_is_told_of_when_it_is():
    backend = SlowWritingKeyring()
    hint = ""
    for timeout_s in (0.2, 2.0, 15.0):  # the first that is long enough for the write to begin
        store = secret_store(backend, timeout_s=timeout_s)
        changes = changes_of(store)
        with pytest.raises(SecretUnavailable, match="in time") as caught:
            await store.keep("openai", KEY)
        hint = caught.value.hint
        if backend.is_writing.is_set():
            break
        assert "Nothing was stored" in hint
    assert "may still be stored if you unlock it now" in hint
    assert changes == []
    backend.finish.set()
    await key_store_threads_end()
    assert (backend.entries, changes) == ({NAME: KEY}, ["openai"])


async def test_a_cancelled_write_that_had_begun_is_told_of_when_it_is_done():
    backend = SlowWritingKeyring()
    store = secret_store(backend)
    changes = changes_of(store)
    keeping = spawn(store.keep("openai", KEY), name="keep")
    await poll(backend.is_writing)
    keeping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await keeping
    backend.finish.set()
    await key_store_threads_end()
    assert changes == ["openai"]


# --- keys that are longer than an entry (D14) ---


def entry_names(backend):
    return sorted(service for service, _ in backend.entries)


@pytest.mark.parametrize("length", [1, 1280, 1281, 2560, 2561, 3000, 12_801])
async def test_d14_a_key_of_any_length_is_kept_found_and_removed_whole(length):
    key = ("0123456789abcdef" * 1000)[:length]
    backend = LimitedKeyring()
    store = secret_store(backend)
    await store.keep("openai", key)
    assert (await store.find("openai")).value == key
    assert len(backend.entries) == (1 if length <= 1280 else 1 + -(-length // 1280))
    await store.remove("openai")
    assert backend.entries == {}


@pytest.mark.parametrize(("length", "count"), [(10, 1), (1281, 3)])
async def test_d14_a_shorter_new_key_leaves_no_numbered_entry_behind(length, count):
    backend = LimitedKeyring()
    store = secret_store(backend)
    await store.keep("openai", "a" * 6000)
    assert len(backend.entries) == 6
    await store.keep("openai", "b" * length)
    assert len(backend.entries) == count
    assert (await store.find("openai")).value == "b" * length


async def test_d14_a_write_that_was_cut_short_gives_no_mixture_of_two_keys():
    backend = LimitedKeyring()
    store = secret_store(backend)
    await store.keep("openai", "a" * 3000)
    backend.writes_left = 2
    with pytest.raises(SecretUnavailable, match="unplugged"):
        await store.keep("openai", "b" * 5000)
    found = await store.find("openai")
    assert (found.value, "incomplete" in found.problem) == (None, True)
    backend.writes_left = None
    await store.keep("openai", "c" * 1300)
    assert (await store.find("openai")).value == "c" * 1300
    await store.remove("openai")
    assert backend.entries == {}, entry_names(backend)


async def test_d14_a_key_with_a_part_missing_is_a_problem_and_can_be_replaced_and_removed():
    backend = LimitedKeyring()
    store = secret_store(backend)
    await store.keep("openai", "a" * 3000)
    del backend.entries["agdesk/openai/default/3", "default"]
    found = await store.find("openai")
    assert (found.value, "incomplete" in found.problem) == (None, True)
    await store.remove("openai")
    assert backend.entries == {}


async def test_d14_the_other_key_stores_take_a_long_key_in_one_entry():
    backend = MemoryKeyring()
    await secret_store(backend).keep("openai", "a" * 5000)
    assert len(backend.entries) == 1
