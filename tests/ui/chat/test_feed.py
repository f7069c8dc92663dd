"""What is painted live is what a stored turn paints, and what each record draws."""

import pytest

from agdesk.core.errors import ErrorCategory, ErrorRecord
from agdesk.core.ir import stream as ev
from agdesk.core.ir.blocks import Extension, Text, Thinking, ToolUse
from agdesk.core.ir.messages import user
from agdesk.core.ir.partial import PartialMessageResponse
from agdesk.core.ir.response import EndCause, StopReason
from agdesk.core.ir.tree import ConversationTree
from agdesk.core.providers.errors import classify_rejection
from agdesk.core.trace.events import (
    Payload,
    RequestPrepared,
    ResponseReceived,
    StreamEventReceived,
    TraceRecord,
    TurnCompleted,
    TurnStarted,
)
from agdesk.ui.chat.block_text import fenced
from agdesk.ui.chat.block_views import block_views
from agdesk.ui.chat.calls.stories import CallStory
from agdesk.ui.chat.end_words import error_detail
from agdesk.ui.chat.feed import TranscriptFeed
from agdesk.ui.theme import apply_theme, current_theme
from agdesk.ui.widgets.transcript import VirtualTranscript

MARKDOWN = "# A title\n\nsome *text*, then\n\n```python\nx = 1\n```\n\n- a\n- b\n"


def feed_of(transcript):
    return TranscriptFeed(transcript, tree=ConversationTree(), can_go_on=lambda: False)


def answer():
    """A response with overlapping blocks of every kind that is drawn, event by event."""
    return [
        ev.MessageStart("i", "m"),
        ev.ContentBlockStart(0, ev.ThinkingType()),
        ev.ThinkingDelta("first I think", 0),
        ev.ContentBlockStart(1, ev.TextType()),
        *(ev.TextDelta(character, 1) for character in MARKDOWN),
        ev.ThinkingDelta(", then on", 0),
        ev.ContentBlockEnd(0),
        ev.ContentBlockStart(2, ev.ExtensionType("p", "citations", [{"url": "https://example.org"}])),
        ev.ContentBlockEnd(2),
        ev.TextDelta("the end", 1),
        ev.ContentBlockEnd(1),
        ev.ContentBlockStart(3, ev.ToolUseType("c", "look_up")),
        ev.ToolCallArgumentsDelta('{"q": "```"}', 3),
        ev.ToolCallEnd(3),
        ev.ContentBlockEnd(3),
        ev.ContentBlockStart(4, ev.RefusalType()),
        ev.RefusalDelta("No.", 4),
        ev.ContentBlockEnd(4),
        ev.MessageComplete(StopReason.END_TURN),
    ]


def records(events):
    partial = PartialMessageResponse()
    for event in events:
        partial.apply(event)
    payloads: list[Payload] = [
        TurnStarted(user("hello"), "p/m"),
        RequestPrepared(1, 1, 1),
        *(StreamEventReceived(None, event) for event in events),
        ResponseReceived(partial.finalize(), EndCause.SERVER),
        TurnCompleted(),
    ]
    return [TraceRecord(i + 1, i * 1000, "s", "turn-1", "req-1", payload) for i, payload in enumerate(payloads)]


@pytest.fixture
def transcript(qapp, qtbot):
    apply_theme(qapp, "light")
    widget = VirtualTranscript()
    qtbot.addWidget(widget)
    widget.resize(700, 900)
    return widget


def picture(qtbot, widget):
    widget.show()
    widget.refresh()
    qtbot.wait(50)
    return widget.grab().toImage()


@pytest.mark.parametrize("batch_size", [1, 3, 1000])
def test_live_records_in_any_batches_paint_what_the_stored_turn_paints(qtbot, transcript, batch_size):
    lines = records(answer())
    live = feed_of(transcript)
    for start in range(0, len(lines), batch_size):
        live.append(lines[start : start + batch_size])
    seen = picture(qtbot, transcript)

    stored = VirtualTranscript()
    qtbot.addWidget(stored)
    stored.resize(700, 900)
    feed_of(stored).append([line for line in lines if not isinstance(line.payload, StreamEventReceived)])
    again = picture(qtbot, stored)
    different = {
        y for y in range(seen.height()) for x in range(0, seen.width(), 2) if seen.pixel(x, y) != again.pixel(x, y)
    }
    # how long the thinking took is known from its events only: its one line may differ, and nothing else
    assert len(different) <= current_theme().metrics.hit_area, sorted(different)


def test_the_source_of_a_live_message_is_its_text(transcript):
    feed_of(transcript).append(records(answer()))
    assert "some *text*, then" in transcript.message_source("req-1")
    assert transcript.message_source("turn-1/user") == "hello"


def test_every_block_is_drawn_and_none_can_close_its_own_fence():
    views = block_views(
        (
            Text("hi"),
            Thinking("hm"),
            ToolUse("c", "f", None, '{"a": "```"}', "cut"),
            Extension("p", "citations", ["```"]),
        ),
        [1.5],
        attachment=lambda _block: pytest.fail("nothing is attached"),
        call=lambda block: CallStory(block).view(),
    )
    assert [view.kind for view in views] == ["text", "thinking", "call", "text"]
    assert views[1].duration_s == 1.5
    assert views[2].call is not None and views[2].call.name == "f" and "cut" in views[2].text
    assert views[2].text.count("````") == 2
    assert "citations" in views[3].text


@pytest.mark.parametrize("text", ["", "x", "```", "`````", "a\n```\nb"])
def test_a_fence_is_longer_than_any_inside(text):
    lines = fenced(text, "json").split("\n")
    fence = lines[-1]
    assert lines[0] == f"{fence}json"
    assert fence not in text


def test_the_detail_of_an_error_has_the_providers_words_once_with_status_and_request():
    error = ErrorRecord(
        "provider_rejection",
        "Refused: bad key",
        category=ErrorCategory.AUTH,
        details={"provider_message": "bad key", "status": 401, "code": "invalid", "request_id": "req_1"},
    )
    assert error_detail(error) == "status 401 · invalid · request req_1"


def test_an_error_says_its_status_and_code_once():
    body = b'{"error": {"message": "bad key", "code": "invalid_key"}}'
    error = classify_rejection(401, headers={"x-request-id": "req_1"}, body=body, now_s=0).to_record()
    assert "HTTP 401, invalid_key" in error.message
    assert error_detail(error) == "request req_1"
