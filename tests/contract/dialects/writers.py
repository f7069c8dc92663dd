"""Everyone who writes a wire format, by its name."""

from __future__ import annotations

from tests.contract.dialects.abstract import Writer
from tests.contract.dialects.anthropic import AnthropicWriter
from tests.contract.dialects.gemini import GeminiWriter
from tests.contract.dialects.ollama import OllamaWriter
from tests.contract.dialects.openai_chat import ChatWriter
from tests.contract.dialects.openai_responses import ResponsesWriter

WRITERS: dict[str, Writer] = {
    writer.wire: writer
    for writer in (ChatWriter(), ResponsesWriter(), AnthropicWriter(), GeminiWriter(), OllamaWriter())
}
