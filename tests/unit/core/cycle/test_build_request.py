"""The five rows of the documents' system-prompt table, and what else a request is made of (SEED3)."""

from agdesk.core.cycle.cycle import LlmCycle
from agdesk.core.cycle.requests import CycleConfig
from agdesk.core.ir.messages import Message, User, system, user
from agdesk.core.ir.request import MessageRequest, RequestParameters, ToolDefinition
from agdesk.core.providers.scripted import ScriptedProvider
from agdesk.core.trace.recorder import Recorder

A, B1, B2 = system("A"), system("B1"), system("B2")
HELLO = user("hello")


def built(system_prompt: str | None, *history: Message) -> tuple[Message, ...]:
    cycle = LlmCycle(ScriptedProvider([]), CycleConfig("m"), Recorder("s"))
    cycle.system_prompt = system_prompt
    cycle.messages.extend(history)
    return cycle.build_request().messages


def test_row_1_no_prompt_and_no_system_leaves_the_messages_unchanged():
    assert built(None, HELLO) == (HELLO,)


def test_row_2_no_prompt_keeps_the_systems_of_the_history_for_the_wire_format():
    assert built(None, B1, HELLO) == (B1, HELLO)


def test_row_3_a_prompt_without_a_system_in_the_history_is_inserted_first():
    assert built("A", HELLO) == (A, HELLO)


def test_row_4_a_prompt_replaces_the_system_of_the_history():
    assert built("A", B1, HELLO) == (A, HELLO)


def test_row_5_a_prompt_replaces_every_system_of_the_history():
    assert built("A", B1, HELLO, B2) == (A, HELLO)


def test_building_does_not_change_the_history():
    cycle = LlmCycle(ScriptedProvider([]), CycleConfig("m"), Recorder("s"))
    cycle.system_prompt = "A"
    cycle.messages.extend([B1, HELLO])
    cycle.build_request()
    assert cycle.messages == [B1, HELLO]


def test_an_empty_prompt_is_a_prompt_and_replaces_too():
    assert built("", B1, HELLO) == (system(""), HELLO)


def test_only_what_was_configured_is_in_the_request():
    tool = ToolDefinition("f", "does f", {"type": "object"})
    cycle = LlmCycle(
        ScriptedProvider([]), CycleConfig("m", RequestParameters(max_tokens=9, temperature=0.5)), Recorder("s")
    )
    cycle.messages.append(User(HELLO.content))
    expected = MessageRequest("m", (HELLO,), tools=(tool,), max_tokens=9, temperature=0.5)
    assert cycle.build_request((tool,)) == expected
