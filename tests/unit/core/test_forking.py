"""CHAT4: a new conversation made of the path to a message."""

import pytest

from agdesk.core.errors import ConfigurationError, ErrorRecord
from agdesk.core.ir.messages import text_of
from agdesk.core.ir.stream import StreamError
from agdesk.core.providers.scripted import text_answer
from agdesk.core.trace.events import ResponseReceived, TurnCompleted, TurnFailed, TurnStarted
from tests.fakes.workspace import scripted_workspace

ANSWERS = [text_answer(f"answer {number}") for number in range(1, 9)]


def texts(session):
    """What the next request says, from its first message."""
    return [text_of(message.content) for message in session.next_request("m").messages]


async def test_a_fork_holds_a_copy_of_the_path_to_any_message(tmp_path):
    workspace, provider = scripted_workspace(tmp_path, *ANSWERS)
    session = workspace.open_session()
    session.system_prompt = "Be brief."
    await session.submit("x" * 70)
    await session.submit("second")
    left = [node.id for node in session.branches.tree.path()]
    await session.edit(left[0], "other")
    now = [node.id for node in session.branches.tree.path()]
    workspace.conversations.rename(session.id, "My own title")

    fork_id = await workspace.fork(session, left[3])
    fork, records = await workspace.open_conversation(fork_id)
    assert workspace.conversations.get(fork_id).title == "My own title (fork)"
    assert fork.system_prompt == "Be brief."
    assert texts(fork) == ["Be brief.", "x" * 70, "answer 1", "second", "answer 2"]
    assert not set(left) & {node.id for node in fork.branches.tree.path()}
    assert [record.seq for record in records] == list(range(1, len(records) + 1))
    await fork.submit("third")
    assert [text_of(m.content) for m in provider.requests[-1].messages][-2:] == ["answer 2", "third"]
    assert [node.id for node in session.branches.tree.path()] == now

    question_only = await workspace.fork(session, left[0])
    fork, _ = await workspace.open_conversation(question_only)
    assert len(fork.branches.tree.path()) == 1
    await fork.regenerate()
    assert [text_of(m.content) for m in provider.requests[-1].messages] == ["Be brief.", "x" * 70]
    await session.delete(left[0])
    with pytest.raises(ConfigurationError):
        await workspace.fork(session, left[3])
    await workspace.aclose()


async def test_a_long_title_leaves_room_for_saying_that_it_is_a_fork(tmp_path):
    workspace, _ = scripted_workspace(tmp_path, *ANSWERS)
    session = workspace.open_session()
    await session.submit("x" * 70)
    fork_id = await workspace.fork(session, session.branches.tree.path()[-1].id)
    title = workspace.conversations.get(fork_id).title
    assert title == "x" * 53 + " (fork)"
    await workspace.aclose()


async def test_a_fork_has_an_answer_that_was_cut_and_what_cut_it(tmp_path):
    error = ErrorRecord("transport", "The connection broke")
    cut = (*text_answer("half")[:-1], StreamError(error))
    workspace, _ = scripted_workspace(tmp_path, cut, ANSWERS[0])
    session = workspace.open_session()
    await session.submit("first")
    await session.submit("second")
    fork_id = await workspace.fork(session, session.branches.tree.path()[-1].id)
    _, records = await workspace.open_conversation(fork_id)
    payloads = [record.payload for record in records]
    whole = [TurnStarted, ResponseReceived, TurnCompleted]
    assert [type(payload) for payload in payloads] == [TurnStarted, ResponseReceived, TurnFailed, *whole]
    assert payloads[2].error.message == "The connection broke"
    await workspace.aclose()


async def test_the_two_conversations_go_separate_ways_over_a_restart(tmp_path):
    workspace, _ = scripted_workspace(tmp_path, *ANSWERS)
    session = workspace.open_session()
    await session.submit("first")
    fork_id = await workspace.fork(session, session.branches.tree.path()[-1].id)
    await session.submit("second")
    fork, _ = await workspace.open_conversation(fork_id)
    await fork.submit("other")
    await workspace.aclose()

    workspace, _ = scripted_workspace(tmp_path)
    one, _ = await workspace.open_conversation(session.id)
    two, _ = await workspace.open_conversation(fork_id)
    assert texts(one) == ["first", "answer 1", "second", "answer 2"]
    assert texts(two) == ["first", "answer 1", "other", "answer 3"]
    await workspace.aclose()
