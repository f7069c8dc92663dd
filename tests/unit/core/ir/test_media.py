"""Bytes come into a message right before it is rendered, and nowhere else."""

import base64

from agdesk.core.ir.blocks import BlobRef, File, Image, Text, ToolResult, Url
from agdesk.core.ir.media import blobs_in, file_as_text, with_bytes
from agdesk.core.ir.messages import Tool, User, heading_of, user

REFERENCE = BlobRef("a", 3)
IMAGE = Image(REFERENCE, "image/png", "a.png")
READ = {REFERENCE: b"abc"}.get
FILLED = Image(Url("data:image/png;base64,YWJj"), "image/png", "a.png")


def text_file(text, name="a.txt"):
    return File(Url(f"data:text/plain;base64,{base64.b64encode(text.encode()).decode()}"), "text/plain", name)


def test_references_get_their_bytes_in_messages_and_in_results_of_tools():
    result = ToolResult("1", "t", (IMAGE, Text("x")))
    messages = (User((IMAGE, Text("a"), result)), Tool((result,)), user("plain"))
    said, tool, plain = with_bytes(messages, READ)
    filled = ToolResult("1", "t", (FILLED, Text("x")))
    assert said == User((FILLED, Text("a"), filled)) and tool == Tool((filled,))
    assert plain is messages[2]
    assert [*blobs_in(messages[0].content)] == [REFERENCE, REFERENCE]


def test_what_is_not_kept_stays_a_reference():
    lost = Image(BlobRef("b", 1), "image/png")
    assert with_bytes((User((lost,)),), READ) == (User((lost,)),)


def test_a_text_file_is_said_as_its_name_and_its_text_in_a_fence_that_nothing_closes():
    assert file_as_text(text_file("one\n")) == Text("a.txt:\n\n```\none\n```")
    assert file_as_text(text_file("```\nx")) == Text("a.txt:\n\n````\n```\nx\n````")
    assert file_as_text(File(Url("data:text/plain;base64,/w=="), "text/plain")) is None
    assert file_as_text(File(Url("data:application/pdf;base64,YQ=="), "application/pdf")) is None
    assert file_as_text(File(REFERENCE, "text/plain")) is None


def test_a_message_of_attachments_alone_is_called_by_the_first():
    assert heading_of((IMAGE, Text("What?"))) == "What?"
    assert heading_of((Text(""), IMAGE)) == "a.png"
    assert heading_of((Image(REFERENCE, "image/png"),)) == ""
