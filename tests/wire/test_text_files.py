"""A text file arrives with every format: as a file, or as text below its name (CHAT7)."""

import base64
import json

import pytest

from agdesk.core.ir.blocks import File, Text, Url
from agdesk.core.ir.messages import User
from agdesk.core.ir.request import MessageRequest
from agdesk.core.providers.presets import shipped_endpoints
from agdesk.core.providers.registry import wire_format

CONTENT = "name,height\nNorth hill,1204\n"
FILE = File(Url(f"data:text/csv;base64,{base64.b64encode(CONTENT.encode()).decode()}"), "text/csv", "heights.csv")
AS_TEXT = "message 1: a text file is sent as text, below its name"


def rendered(row):
    endpoint = shipped_endpoints()[row]
    request = MessageRequest("m", (User((FILE, Text("Which is higher?"))),))
    return wire_format(endpoint.wire).render_request(request, endpoint=endpoint, api_key=None, is_streaming=True)


@pytest.mark.parametrize("row", ["openai", "ollama", "deepseek", "mistral", "openrouter"])
def test_a_format_without_text_files_says_name_and_text_and_the_ledger_tells(row):
    sent = rendered(row)
    body = json.dumps(sent.body)
    assert "heights.csv:" in body and json.dumps(CONTENT)[1:-1] in body and "Which is higher?" in body
    assert sent.ledger == (AS_TEXT,)


def test_anthropic_and_gemini_take_it_as_a_file():
    document = rendered("anthropic").body["messages"][0]["content"][0]
    assert document["source"]["data"] == CONTENT and document["title"] == "heights.csv"
    part = rendered("gemini").body["contents"][0]["parts"][0]["inlineData"]
    assert base64.b64decode(part["data"]).decode() == CONTENT and part["mimeType"] == "text/csv"
