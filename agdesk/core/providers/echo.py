"""The beginning of an answer, as some providers repeat it before they go on with it (A07)."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from agdesk.core.ir.blocks import Text
from agdesk.core.ir.messages import Assistant, Message
from agdesk.core.ir.stream import StreamEvent, TextDelta
from agdesk.core.providers.rounds import joined


async def without_echo(events: AsyncGenerator[StreamEvent, None], last: Message) -> AsyncGenerator[StreamEvent, None]:
    """The events without the text of the request's last message at their beginning; other texts are left as they are.

    What is held back because it may be the repetition comes as soon as it turns out not to be.
    """
    content = last.content if isinstance(last, Assistant) else ()
    expected = joined([block.text for block in content if isinstance(block, Text)])
    held: list[StreamEvent] = []
    async with aclosing(events):
        async for event in events:
            if not expected or not isinstance(event, TextDelta):
                yield event
            elif expected.startswith(event.text):
                expected = expected[len(event.text) :]
                held.append(event)
            else:
                if event.text.startswith(expected):
                    event = TextDelta(event.text[len(expected) :], event.index)
                else:
                    for before in held:
                        yield before
                expected = ""
                yield event
