"""SEC1: a key that an answer repeats in pieces is not in what is recorded and kept of it."""

import json

from agdesk.core.cycle.redaction import without_keys
from agdesk.core.ir.blocks import Extension, Image, Text, Thinking, ToolUse, Url
from agdesk.core.ir.messages import Assistant
from agdesk.core.ir.response import StopReason
from agdesk.core.ir.stream import ContentBlockEnd, ContentBlockStart, MessageComplete, MessageStart, TextDelta, TextType
from agdesk.core.trace.events import ResponseReceived
from agdesk.core.trace.redact import Secrets
from tests.unit.core.cycle.test_session import Conversation

KEY = 'sk-"secret"-0123456789'
SECRETS = Secrets([KEY])


def test_every_kind_of_block_is_cleaned():
    arguments = {"key": KEY, "n": [1, KEY]}
    message = Assistant(
        (
            Text(f"it is {KEY}."),
            Thinking(f"hm, {KEY}", "signature"),
            ToolUse("c", "send", arguments, json.dumps(arguments), None),
            Extension("p", "odd", {"inside": {"key": KEY}}),
        )
    )
    clean = without_keys(message, SECRETS.redact_text)
    assert KEY not in repr(clean) and "secret" not in repr(clean)
    text, thinking, call, extension = clean.content
    assert text.text.startswith("it is ") and len(text.text) == len(message.content[0].text)
    assert thinking.signature == "signature"
    assert json.loads(call.raw_arguments) == call.input and call.input["n"][0] == 1
    assert set(extension.raw) == {"inside"}


def test_a_message_without_a_key_is_the_same_object():
    message = Assistant(
        (Text("nothing"), Thinking("of"), Image(Url("https://h/i.png"), "image/png"), Extension("p", "k", {}))
    )
    assert without_keys(message, SECRETS.redact_text) is message


async def test_a_key_that_came_in_two_pieces_is_neither_recorded_nor_sent_again():
    script = (
        MessageStart("i", "m"),
        ContentBlockStart(0, TextType()),
        TextDelta(f"your key: {KEY[:9]}", 0),
        TextDelta(f"{KEY[9:]} ok", 0),
        ContentBlockEnd(0),
        MessageComplete(StopReason.END_TURN),
    )
    chat = Conversation(script, script, redact=SECRETS.redact_text)
    outcome = await chat.session.submit("which?")
    (received,) = chat.payloads(ResponseReceived)
    for text in (outcome.response.text(), received.response.text()):
        assert KEY not in text and text.startswith("your key: ") and text.endswith(" ok")
    await chat.session.submit("again")
    assert KEY not in repr(chat.provider.requests[1].messages)
