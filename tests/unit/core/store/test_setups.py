"""What a conversation sets in its requests is kept when it changes, also before its first message."""

import sqlite3
from contextlib import closing

import pytest

from agdesk.core.ir.request import RequestParameters, ResponseFormat, ThinkingOptions
from agdesk.core.store.values import Setup
from tests.fakes.storing import Recorded, open_store
from tests.fakes.workspace import scripted_workspace

FULL = RequestParameters(
    max_tokens=100,
    temperature=0.25,
    top_p=0.5,
    stop=("\n\n", "\ud83d"),  # half of a surrogate pair
    thinking=ThinkingOptions(is_enabled=True, effort="high", budget_tokens=2_000),
    response_format=ResponseFormat({"type": "object", "properties": {"城市": {"type": "string"}}}),
    parallel_tool_calls=False,
    seed=2**62,
    extra={"top_k": 40, "nested": {"a": [1, None]}},
)


async def test_every_parameter_and_the_system_prompt_come_back(tmp_path):
    store = open_store(tmp_path)
    Recorded(store).turn("1")
    store.setups.set("chat", Setup(FULL, "Antworte kurz. 简短\ud83d"))
    await store.aclose()

    store = open_store(tmp_path)
    assert store.setups.load("chat") == Setup(FULL, "Antworte kurz. 简短\ud83d")
    await store.aclose()


async def test_an_empty_conversation_keeps_them_and_does_not_show_in_the_list(tmp_path):
    workspace, _ = scripted_workspace(tmp_path)
    session = workspace.open_session(session_id="empty")
    session.parameters = FULL
    session.system_prompt = ""
    await workspace.aclose()

    workspace, _ = scripted_workspace(tmp_path)
    assert workspace.conversations.all() == ()
    again = workspace.open_session(session_id="empty")
    assert (again.parameters, again.system_prompt) == (FULL, "")
    other = workspace.open_session()
    assert (other.parameters, other.system_prompt) == (RequestParameters(), None)
    await workspace.aclose()


async def test_a_stored_conversation_is_opened_with_them_as_they_were_last(tmp_path):
    workspace, _ = scripted_workspace(tmp_path)
    session = workspace.open_session(session_id="chat")
    session.parameters = FULL
    Recorded(workspace.store).turn("1")
    session.parameters = RequestParameters(seed=1)
    session.system_prompt = "Be brief"
    await workspace.aclose()

    workspace, _ = scripted_workspace(tmp_path)
    again, _ = await workspace.open_conversation("chat")
    assert (again.parameters, again.system_prompt) == (RequestParameters(seed=1), "Be brief")
    again.parameters = RequestParameters()
    again.system_prompt = None
    await workspace.aclose()
    with closing(sqlite3.connect(tmp_path / "agdesk.db")) as connection:
        assert connection.execute("SELECT * FROM setup").fetchall() == []


async def test_they_go_with_a_conversation_that_is_deleted(tmp_path):
    store = open_store(tmp_path)
    Recorded(store).turn("1")
    store.setups.set("chat", Setup(FULL))
    store.conversations.delete("chat")
    await store.aclose()

    store = open_store(tmp_path)
    assert store.setups.load("chat") == store.setups.of_empty("chat") == Setup()
    await store.aclose()


@pytest.mark.parametrize("damaged", [b"{", b"[]", b'{"seed": "seven"}', b"\xff"])
async def test_parameters_that_cannot_be_read_are_none_and_the_system_prompt_stays(tmp_path, damaged, caplog):
    store = open_store(tmp_path)
    store.setups.set("empty", Setup(FULL, "Be brief"))
    await store.aclose()
    with closing(sqlite3.connect(tmp_path / "agdesk.db")) as connection:
        connection.execute("UPDATE setup SET parameters = ?", (damaged,))
        connection.commit()

    store = open_store(tmp_path)
    assert store.setups.of_empty("empty") == Setup(system_prompt="Be brief")
    assert "cannot be read" in caplog.text
    caplog.clear()
    await store.aclose()


async def test_a_newer_program_may_know_more_parameters(tmp_path):
    store = open_store(tmp_path)
    store.setups.set("empty", Setup(RequestParameters(seed=1)))
    await store.aclose()
    with closing(sqlite3.connect(tmp_path / "agdesk.db")) as connection:
        connection.execute("UPDATE setup SET parameters = ?", (b'{"seed": 2, "verbosity": "low"}',))
        connection.commit()

    store = open_store(tmp_path)
    assert store.setups.of_empty("empty").parameters == RequestParameters(seed=2)
    await store.aclose()
