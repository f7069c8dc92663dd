"""A history made by any format goes on in any other: its server takes it, and the ledger tells every difference."""

from __future__ import annotations

import itertools
import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agdesk.core.ir.blocks import Extension, ToolResult
from agdesk.core.ir.ledger import read_line
from agdesk.core.ir.messages import Message, Tool, user
from tests.fakes.given.formats import GIVERS
from tests.fakes.strict import openai_chat
from tests.fakes.strict.formats import CHECKS
from tests.fakes.strict.refusing import NOTHING, Issued
from tests.property.bodies import told
from tests.property.differences import differences, unexplained
from tests.property.openai_chat_values import any_message
from tests.property.returned import given as given_blocks
from tests.property.returned import returned
from tests.property.travelling import Travelling, histories, rendered

EXAMPLES = settings(max_examples=60)
every_format = pytest.mark.parametrize("wire", sorted(GIVERS))


def sent(history: Travelling, to: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The body that a server gets, and the ledger."""
    request = rendered(GIVERS[to].row, history.messages)
    return json.loads(json.dumps(request.body, ensure_ascii=False).encode()), request.ledger


def known_to(history: Travelling, to: str) -> Issued:
    """What the provider that is asked has given out itself."""
    return history.issued if to == history.wire else NOTHING


@every_format
@EXAMPLES
@given(st.data())
def test_A05_K20_every_provider_takes_a_history_of_any_other(wire, data):
    history = data.draw(histories(wire))
    for to, check in CHECKS.items():
        body, _ = sent(history, to)
        check(body, headers=None, issued=known_to(history, to))


@pytest.mark.parametrize(("row", "reasoning"), [("deepseek", "demanded"), ("mistral", "refused")])
@EXAMPLES
@given(st.data())
def test_K17_R03_strict_relatives_of_chat_completions_take_it_too(row, reasoning, data):
    history = data.draw(st.sampled_from(sorted(GIVERS)).flatmap(histories))
    body = json.loads(json.dumps(rendered(row, history.messages).body))
    openai_chat.check(body, reasoning=reasoning)
    called = [call["id"] for message in body["messages"] for call in message.get("tool_calls", [])]
    assert row != "mistral" or all(re.fullmatch("[a-zA-Z0-9]{9}", call_id) for call_id in called)
    roles = [message["role"] for message in body["messages"]]
    assert row != "mistral" or ("tool", "user") not in itertools.pairwise(roles)


@EXAMPLES
@given(st.lists(any_message, max_size=4))
def test_A05_K20_every_provider_takes_whatever_stands_in_a_history(messages):
    """Also what no format makes: calls of the user, images of the system, results of nothing."""
    issued = Issued(blocks=[block.raw for message in messages for block in _extensions(message)])
    for to, check in CHECKS.items():
        body = json.loads(json.dumps(rendered(GIVERS[to].row, (user("q"), *messages)).body))
        check(body, issued=issued)


def _extensions(message: Message) -> list[Extension]:
    """Blocks that the user may have put there himself, in the format of whom he asks."""
    held = message.results if isinstance(message, Tool) else message.content
    inner = [block for result in held if isinstance(result, ToolResult) for block in result.content]
    return [block for block in (*held, *inner) if isinstance(block, Extension)]


@every_format
@EXAMPLES
@given(st.data())
def test_PROV7_the_ledger_tells_every_difference_and_nothing_else(wire, data):
    history = data.draw(histories(wire))
    for to in CHECKS:
        body, ledger = sent(history, to)
        said = told(to, body)
        found = differences(history.messages, said)
        assert list(unexplained(found, ledger, said)) == [], to


@every_format
@EXAMPLES
@given(st.data())
def test_A02_G01_P08_R08_what_is_opaque_goes_back_to_its_maker_as_it_came_and_in_its_place(wire, data):
    history = data.draw(histories(wire, cuts=False))
    body, ledger = sent(history, wire)
    back = returned(wire, body)
    noted = {message - 1 for line in ledger for message in read_line(line).messages}
    for position, blocks in sorted(history.given.items()):
        for block in given_blocks(wire, blocks):
            if back and back[0] == block:
                back.pop(0)
            else:
                assert position in noted, f"{block} of message {position + 1} did not come back"
    assert back == [], "what was sent is not what was given, or stands elsewhere"
