"""A07: Mistral repeats the beginning of the answer before it goes on with it."""

import pytest

from agdesk.core.ir import stream as ev
from agdesk.core.ir.blocks import Text
from agdesk.core.ir.messages import Assistant
from agdesk.core.providers.echo import without_echo

BEGUN = Assistant((Text("one,"), Text("two")))


async def played(*texts):
    for text in texts:
        yield ev.TextDelta(text, 0)
    yield ev.ContentBlockEnd(0)


@pytest.mark.parametrize(
    ("texts", "left"),
    [
        (("one,\n\ntwo", ", three"), ", three"),
        (("one,", "", "\n\nt", "wo, thr", "ee"), ", three"),
        ((", three",), ", three"),
        (("one,\n\nt", "en", " more"), "one,\n\nten more"),
        (("one,", "\n\n"), ""),
        (("one,\n\ntwo", "one,\n\ntwo"), "one,\n\ntwo"),
    ],
    ids=["at once", "in pieces", "no repetition", "something else", "cut within it", "only once"],
)
async def test_what_is_repeated_is_left_out_and_nothing_else(texts, left):
    events = [event async for event in without_echo(played(*texts), BEGUN)]
    assert "".join(event.text for event in events if isinstance(event, ev.TextDelta)) == left
    assert events[-1] == ev.ContentBlockEnd(0)


async def test_closing_it_closes_what_it_reads():
    events = played("one,", "x")
    filtered = without_echo(events, BEGUN)
    await anext(filtered)
    await filtered.aclose()
    with pytest.raises(StopAsyncIteration):
        await anext(events)
