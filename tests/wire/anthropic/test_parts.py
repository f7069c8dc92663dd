"""Images, documents and what else a user's message or a result may hold."""

from __future__ import annotations

import pytest

from agdesk.core.ir.blocks import Audio, BlobRef, Extension, File, Image, ProviderFile, Text, ToolResult, Url
from agdesk.core.ir.messages import Tool, User
from tests.wire.anthropic.histories import HELLO, own, said, sent, use

PNG = Image(Url("data:image/png;base64,QQ=="), "image/png")
SENT_PNG = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QQ=="}}


def part(block):
    messages, ledger = sent(User((Text("see"), block)))
    return messages[0]["content"][1:], ledger


@pytest.mark.parametrize(
    ("block", "wanted"),
    [
        (PNG, SENT_PNG),
        (
            Image(Url("data:image/webp,A"), "image/*"),
            {"type": "image", "source": {"type": "base64", "media_type": "image/webp", "data": "QQ=="}},
        ),
        (
            Image(Url("https://x/i.png"), "image/png"),
            {"type": "image", "source": {"type": "url", "url": "https://x/i.png"}},
        ),
        (
            Image(ProviderFile("acme", "f1"), "image/png"),
            {"type": "image", "source": {"type": "file", "file_id": "f1"}},
        ),
        (
            File(Url("data:application/pdf;base64,QQ=="), "application/pdf", "a.pdf"),
            {
                "type": "document",
                "source": {"type": "base64", "media_type": "application/pdf", "data": "QQ=="},
                "title": "a.pdf",
            },
        ),
        (
            File(Url("https://x/a.pdf"), "application/pdf"),
            {"type": "document", "source": {"type": "url", "url": "https://x/a.pdf"}},
        ),
        (
            File(Url("data:text/csv;base64,w6k="), "text/csv", "t.csv"),
            {
                "type": "document",
                "source": {"type": "text", "media_type": "text/plain", "data": "é"},
                "title": "t.csv",
            },
        ),
        (
            File(ProviderFile("acme", "f2"), "application/pdf"),
            {"type": "document", "source": {"type": "file", "file_id": "f2"}},
        ),
        (Extension("anthropic", "search_result", {"type": "search_result", "x": 1}), {"type": "search_result", "x": 1}),
    ],
)
def test_what_the_format_has_is_sent(block, wanted):
    assert part(block) == ([wanted], ())


@pytest.mark.parametrize(
    ("block", "words"),
    [
        (Image(Url("data:image/bmp;base64,QQ=="), "image/bmp"), "image/bmp"),
        (Image(BlobRef("0", 1), "image/png"), "not at hand"),
        (Image(ProviderFile("other", "f"), "image/png"), "cannot say where"),
        (Image(Url("data:nothing"), "image/png"), "cannot say where"),
        (File(BlobRef("0", 1), "application/pdf"), "not at hand"),
        (File(Url("data:application/zip;base64,QQ=="), "application/zip"), "application/zip"),
        (File(Url("data:text/plain;base64,/w=="), "text/plain"), "text/plain"),
        (File(Url("data:text/plain;base64,Q"), "text/plain"), "text/plain"),
        (File(Url("https://x/a.txt"), "text/plain"), "text/plain"),
        (Audio(Url("data:audio/wav;base64,QQ=="), "audio/wav"), "an audio clip"),
        (Extension("gemini", "x", {"a": 1}), "of gemini"),
    ],
)
def test_PROV7_what_it_has_not_is_left_out_and_that_is_said(block, words):
    found, (line,) = part(block)
    assert found == []
    assert line.startswith("message 1: ") and words in line


def test_the_name_of_an_image_has_no_place():
    found, ledger = part(Image(PNG.source, "image/png", "cat.png"))
    assert found == [SENT_PNG]
    assert ledger == ("message 1: the name of an image was left out",)


def test_an_image_of_the_model_has_no_place():
    messages, ledger = sent(*HELLO, own(Text("a"), PNG), *HELLO)
    assert messages[1]["content"] == [said("a")]
    assert ledger == ("message 2: an image has no place in this message and was left out",)


def test_the_result_of_a_call_may_hold_images_but_not_if_the_call_failed():
    def content(is_error):
        results = Tool((ToolResult("A", "f", (Text("see"), PNG), is_error),))
        messages, ledger = sent(*HELLO, own(use()), results)
        return messages[2]["content"][0], ledger

    assert content(False) == (
        {"type": "tool_result", "tool_use_id": "A", "content": [said("see"), SENT_PNG]},
        (),
    )
    failed, ledger = content(True)
    assert failed == {"type": "tool_result", "tool_use_id": "A", "content": "see", "is_error": True}
    assert ledger == ("message 2: what is not text in the result of a failed call was left out",)
