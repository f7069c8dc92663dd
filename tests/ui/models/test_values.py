"""The words and figures for what is known of a model."""

import pytest

from agdesk.ui.models.values import cell_text, described, price, tokens, value_text
from tests.ui.models.rows import row


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1, "1"),
        (512, "512"),
        (8_192, "8 192"),
        (10_000, "10 k"),
        (131_072, "131 k"),
        (1_000_000, "1 M"),
        (1_048_576, "1.05 M"),
    ],
)
def test_tokens_have_three_digits_or_so(value, text):
    assert tokens(value).replace("\u2009", " ") == text


@pytest.mark.parametrize(
    ("value", "text"), [(0, "$0.00"), (0.25, "$0.25"), (15, "$15.00"), (0.075, "$0.075"), (0.00123, "$0.00123")]
)
def test_a_small_price_keeps_its_digits(value, text):
    assert price(value) == text


def test_unknown_is_never_no_and_never_zero():
    assert value_text("vision", None) == value_text("input_per_million", None) == "unknown"
    assert cell_text("max_context_window", None) == cell_text("vision", None) == "?"
    assert value_text("vision", False) == "no"
    assert value_text("input_per_million", 0.0) == "$0.00 per million tokens"


def test_a_value_is_read_out_with_its_source():
    model = row("a/b", vision=True, thinking=False, source={"thinking": "user"}).model
    assert described(model, "vision") == "vision: yes (list)"
    assert described(model, "thinking") == "thinking: no (you)"
    assert described(model, "tool_use") == "tools: unknown"
