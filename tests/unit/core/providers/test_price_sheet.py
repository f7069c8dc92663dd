"""What the tokens of a model cost, who says so, and as of when (CHAT9)."""

from datetime import date

from agdesk.core.providers.base import Endpoint, ModelInfo, Prices
from agdesk.core.providers.price_sheet import price_sheet

OPENAI = Endpoint("openai", "OpenAI", "openai_chat", "https://api.openai.example/v1", catalogue_id="openai")
CATALOGUED = {"input_per_million": "catalogue", "output_per_million": "catalogue"}


def test_prices_of_the_catalogue_have_its_name_its_date_and_those_of_cached_tokens():
    sheet = price_sheet(OPENAI, ModelInfo("gpt-5", "GPT-5", prices=Prices(1.25, 10.0), source=CATALOGUED))
    assert (sheet.input_per_million, sheet.output_per_million, sheet.cached_per_million) == (1.25, 10.0, 0.125)
    assert sheet.catalogue.startswith("genai-prices ")
    assert sheet.as_of is not None and date(2025, 1, 1) < sheet.as_of <= date.today()


def test_prices_of_the_user_have_no_catalogue_and_no_price_for_cached_tokens():
    source = {"input_per_million": "user", "output_per_million": "user"}
    sheet = price_sheet(OPENAI, ModelInfo("gpt-5", "GPT-5", prices=Prices(1.0, 2.0), source=source))
    assert (sheet.cached_per_million, sheet.cache_write_per_million) == (None, None)
    assert (sheet.input_source, sheet.catalogue, sheet.as_of) == ("user", "", None)


def test_half_corrected_prices_have_both_sources():
    source = CATALOGUED | {"input_per_million": "user"}
    sheet = price_sheet(OPENAI, ModelInfo("gpt-5", "GPT-5", prices=Prices(1.0, 10.0), source=source))
    assert (sheet.input_source, sheet.output_source, sheet.cached_per_million) == ("user", "catalogue", None)
    assert sheet.catalogue


def test_what_nobody_knows_is_unknown():
    sheet = price_sheet(OPENAI, ModelInfo("no-such-model", "?"))
    assert (sheet.input_per_million, sheet.output_per_million, sheet.cached_per_million) == (None, None, None)
    assert (sheet.input_source, sheet.catalogue, sheet.as_of) == ("", "", None)
