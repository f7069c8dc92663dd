"""The one object the window is given: conversations that go on where they stopped, settings, providers."""

import asyncio
from itertools import pairwise

import pytest

from agdesk.core.errors import SettingsError, StoreError
from agdesk.core.ir.response import Usage
from agdesk.core.providers.registry import ProviderRegistry
from agdesk.core.providers.scripted import Pause, text_answer
from agdesk.core.trace.events import ResponseReceived, TurnCancelled, TurnCompleted, TurnStarted
from agdesk.core.workspace import Workspace
from tests.fakes.workspace import scripted_workspace


async def said_and_closed(tmp_path, *texts, answer="Bonjour"):
    """A conversation of earlier, its id and what it recorded."""
    workspace, _ = scripted_workspace(tmp_path, *(text_answer(answer, usage=Usage(3, 2)) for _ in texts))
    session = workspace.open_session()
    records = []
    session.records.subscribe(records.append)
    for text in texts:
        await session.submit(text)
    await workspace.aclose()
    return session.id, records


async def test_an_empty_conversation_leaves_nothing_behind(tmp_path):
    workspace, _ = scripted_workspace(tmp_path)
    session = workspace.open_session()
    assert workspace.sessions == {session.id: session}
    await workspace.close_session(session)
    assert workspace.sessions == {} and workspace.conversations.all() == ()
    await workspace.aclose()


async def test_a_conversation_is_listed_with_its_first_line_when_it_was_sent(tmp_path):
    workspace, _ = scripted_workspace(tmp_path, text_answer("Bonjour"))
    session = workspace.open_session()
    changed = []
    workspace.conversations.changed.subscribe(changed.append)
    await session.submit("Say hello.\nIn French.")
    (row,) = workspace.conversations.all()
    assert (row.id, row.title, row.model_ref) == (session.id, "Say hello.", "test/model")
    assert session.id in changed
    await workspace.aclose()


async def test_the_next_start_goes_on_where_the_conversation_stopped(tmp_path):
    conversation_id, before = await said_and_closed(tmp_path, "hello", "again")
    workspace, provider = scripted_workspace(tmp_path, text_answer("encore"))
    session, records = await workspace.open_conversation(conversation_id)
    assert session.id == conversation_id and session.model_ref == "test/model"
    milestones = (TurnStarted, ResponseReceived, TurnCompleted)
    assert list(records) == [record for record in before if isinstance(record.payload, milestones)]
    assert session.cost.request_count == 2 and session.cost.prompt_tokens == 6

    after = []
    session.records.subscribe(after.append)
    await session.submit("more")
    assert [message.content[0].text for message in provider.requests[0].messages] == [
        *("hello", "Bonjour", "again", "Bonjour", "more"),
    ]
    assert all(late.seq == early.seq + 1 and late.ts_ns >= early.ts_ns for early, late in pairwise([*before, *after]))
    await workspace.aclose()


async def test_the_whole_trace_of_a_stored_conversation_can_be_read(tmp_path):
    conversation_id, records = await said_and_closed(tmp_path, "hello")
    workspace, _ = scripted_workspace(tmp_path)
    assert [record async for batch in workspace.trace(conversation_id) for record in batch] == records
    await workspace.aclose()


async def test_what_is_recorded_while_it_is_read_is_not_missing(tmp_path):
    workspace, _ = scripted_workspace(tmp_path, text_answer("Bonjour"))
    session = workspace.open_session()
    records = []
    session.records.subscribe(records.append)
    await session.submit("hello")
    assert [record async for batch in workspace.trace(session.id) for record in batch] == records
    await workspace.aclose()


async def test_ending_the_program_keeps_what_had_arrived_of_a_running_answer(tmp_path):
    workspace, _ = scripted_workspace(tmp_path, (*text_answer("half an")[:-2], Pause(30)))
    session = workspace.open_session()
    deltas = []
    session.records.subscribe(lambda record: deltas.append(record) if "TextDelta" in repr(record) else None)
    session.submit("hello")
    while not deltas:
        await asyncio.sleep(0.005)
    await workspace.aclose()

    workspace, _ = scripted_workspace(tmp_path)
    _, records = await workspace.open_conversation(session.id)
    (received,) = [record.payload for record in records if isinstance(record.payload, ResponseReceived)]
    assert received.response.text() == "half an"
    assert isinstance(records[-1].payload, TurnCancelled)
    await workspace.aclose()


async def test_a_conversation_that_is_not_there_is_an_error_of_the_store(tmp_path):
    workspace, _ = scripted_workspace(tmp_path)
    with pytest.raises(StoreError):
        await workspace.open_conversation("nobody")
    assert workspace.sessions == {}
    await workspace.aclose()


async def test_a_draft_is_kept_without_the_keys_that_are_known(tmp_path):
    workspace, _ = scripted_workspace(tmp_path)
    workspace.registry.secrets.add("sk-very-secret-0123")
    session = workspace.open_session()
    workspace.set_draft(session.id, "try sk-very-secret-0123")
    draft = await workspace.draft(session.id)
    assert draft.startswith("try ") and "secret" not in draft
    await workspace.aclose()


async def test_settings_are_changed_at_once_and_everyone_is_told(tmp_path):
    workspace, _ = scripted_workspace(tmp_path)
    told = []
    workspace.settings_changed.subscribe(told.append)
    await workspace.change_settings({"chat.default_model": "openai/gpt-5", "appearance.theme": "dark"})
    assert told == [workspace.settings]
    assert workspace.settings.appearance.theme == "dark"
    assert workspace.open_session().model_ref == "openai/gpt-5"
    with pytest.raises(SettingsError):
        await workspace.change_settings({"appearance.theme": "pink"})
    assert len(told) == 1
    await workspace.aclose()


async def test_a_provider_whose_address_is_none_is_listed_with_the_reason(tmp_path):
    (tmp_path / "settings.toml").write_text('version = 2\n[providers.openai]\nbase_url = "ftp://nowhere"\n')
    workspace = Workspace(ProviderRegistry(data_folder=tmp_path), data_dir=tmp_path)
    entries = {entry.id: entry for entry in workspace.providers()}
    assert entries["openai"].problem and entries["openai"].key_env == "OPENAI_API_KEY"
    assert not entries["builtin"].problem
    await workspace.aclose()


async def test_a_workspace_without_a_store_answers_and_keeps_nothing(tmp_path):
    with_store, _ = scripted_workspace(tmp_path, text_answer("Bonjour"))
    bare = Workspace(with_store.registry, data_dir=tmp_path)
    outcome = await bare.open_session().submit("hello")
    assert outcome.response is not None and outcome.response.text() == "Bonjour"
    assert with_store.conversations.all() == ()
    await bare.aclose()
    await with_store.aclose()
