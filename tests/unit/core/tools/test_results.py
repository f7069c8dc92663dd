"""What the model gets for a call."""

import pytest

from agdesk.core.errors import ErrorCategory, ToolDenied, ToolFailed
from agdesk.core.ir.blocks import Image, Text, ToolResult, Url
from agdesk.core.ir.request import ResultSemantic
from agdesk.core.tools.base import ToolOutput
from agdesk.core.tools.results import cancelled, failed, finished, truncated
from tests.fakes.tools import call

IMAGE = Image(Url("data:image/png;base64,AA"), "image/png")


def test_a_finished_call_keeps_its_content_and_its_effect():
    output = ToolOutput((Text("a"), IMAGE), is_error=True, effect="wrote /a")
    outcome = finished(call(), output, limit_characters=10)
    assert outcome.result == ToolResult("call-1", "fake", (Text("a"), IMAGE), is_error=True)
    assert (outcome.effect, outcome.error) == ("wrote /a", None)


def test_an_error_is_words_for_the_model_and_a_record():
    outcome = failed(call(), ToolDenied("The user denied this call", "Ask first."))
    words = (Text("The user denied this call. Ask first."),)
    assert outcome.result == ToolResult("call-1", "fake", words, is_error=True)
    assert (outcome.error.kind, outcome.error.category) == ("tool_denied", ErrorCategory.UNKNOWN)
    assert failed(call(), ToolDenied("No")).result.content == (Text("No"),)


def test_half_characters_reach_neither_the_model_nor_the_store():
    outcome = finished(call(), ToolOutput((Text("a\udcff"),), effect="wrote \udcff"), limit_characters=10)
    assert (outcome.result.content, outcome.effect) == ((Text("a\ufffd"),), "wrote \ufffd")
    outcome = failed(call(), ToolFailed("no \udcff"))
    assert outcome.result.content == (Text("no \ufffd"),) and outcome.error.message == "no \ufffd"


@pytest.mark.parametrize(
    ("semantic", "words", "effect"),
    [
        (ResultSemantic.FACTUAL, "cancelled", ""),
        (ResultSemantic.ACTION, "cancelled, effect unknown", "cancelled, effect unknown"),
        (ResultSemantic.MIXED, "cancelled, effect unknown", "cancelled, effect unknown"),
    ],
)
def test_what_was_cancelled_says_whether_something_may_have_been_done(semantic, words, effect):
    outcome = cancelled(call(), semantic)
    assert outcome.result == ToolResult("call-1", "fake", (Text(words),), is_error=True)
    assert outcome.effect == effect


def test_texts_share_a_limit_and_the_marker_counts_what_is_gone():
    content = (Text("abc"), IMAGE, Text("defgh"), Text("ijk"), IMAGE)
    assert truncated(content, limit_characters=11) is content
    assert truncated(content, limit_characters=5) == (
        Text("abc"), IMAGE, Text("de\n[… 6 characters cut]"), IMAGE,
    )  # fmt: skip
    assert truncated((Text("a" * 12_000),), limit_characters=0) == (Text("\n[… 12,000 characters cut]"),)
