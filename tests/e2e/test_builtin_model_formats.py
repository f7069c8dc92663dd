"""The real model's server under each wire format that it serves, through the provider that every endpoint uses.

llama.cpp is no oracle for what the newer formats call an answer that was cut: it says ``completed`` and ``end_turn``.
"""

from __future__ import annotations

import contextlib
import time

import pytest

from agdesk.core.errors import ErrorCategory, ProviderRejection
from agdesk.core.ir.messages import system, user
from agdesk.core.ir.request import MessageRequest
from agdesk.core.ir.response import StopReason
from agdesk.core.providers.llama_child import STARTER_MODEL, starter_gguf
from agdesk.core.providers.llama_server import LlamaOptions, LlamaServer
from agdesk.core.trace.wire import CloseReason
from tests.contract.conversation import conversation

pytestmark = [pytest.mark.model, pytest.mark.timeout(120)]
FORMATS = ("openai_chat", "openai_responses", "anthropic")
HEADERS = {"connection": "close", "anthropic-version": "2023-06-01"}
STORY_TOKENS = 3500  # half a minute on a fast machine


@contextlib.asynccontextmanager
async def serving(tmp_path, *, n_ctx=2048):
    """A running server; gives what makes a conversation with it in a format."""
    server = LlamaServer(lambda: LlamaOptions(starter_gguf(), n_ctx), log_file=tmp_path / "builtin-model.log")

    def talking(wire, *, key=None):
        return conversation(
            base_url, key=key or own_key, wire=wire, headers=HEADERS, is_local=True, idle_timeout_s=100.0
        )

    try:
        base_url, own_key = await server.acquire()
        yield talking
    finally:
        await server.aclose()


def question(text="Say hello in French.", **options):
    options = {"max_tokens": 6, "temperature": 0.0, **options}
    return MessageRequest(STARTER_MODEL, (system("Be brief."), user(text)), **options)


async def test_each_format_gives_the_same_text_with_usage_and_an_end(tmp_path):
    texts = {}
    async with serving(tmp_path) as talking:
        for wire in FORMATS:
            async with talking(wire) as asked:
                response = await asked.ask(question())
            usage = response.usage
            assert response.error is None and response.model == STARTER_MODEL, wire
            assert usage.prompt_tokens > 0 and 0 < usage.completion_tokens <= 6, wire
            assert usage.total_tokens == usage.prompt_tokens + usage.completion_tokens, wire
            assert response.stop_reason in (StopReason.END_TURN, StopReason.MAX_TOKENS), wire
            assert asked.closed().reason is CloseReason.TERMINAL, wire
            texts[wire] = response.text()
    assert texts["openai_chat"].strip() and len(set(texts.values())) == 1, texts


async def test_an_answer_goes_back_in_each_format_and_is_answered(tmp_path):
    async with serving(tmp_path) as talking:
        for wire in FORMATS:
            async with talking(wire) as asked:
                first = await asked.provider.chat(question())
                history = (*question().messages, first.message, user("Now in German."))
                second = await asked.provider.chat(MessageRequest(STARTER_MODEL, history, max_tokens=6))
            assert second.text().strip(), wire
            assert second.usage.prompt_tokens > first.usage.prompt_tokens, wire


async def test_a_stopped_answer_frees_the_model_in_each_format(tmp_path):
    story = question("Tell a story.", max_tokens=STORY_TOKENS, extra={"ignore_eos": True})
    async with serving(tmp_path, n_ctx=4096) as talking:
        for wire in FORMATS:
            async with talking(wire) as asked:
                async with contextlib.aclosing(asked.stream(story)) as events:
                    text = ""
                    async for event in events:
                        text += getattr(event, "text", "")
                        if len(text) > 20:
                            break
                assert asked.closed().reason is CloseReason.CANCELLED, wire
                start = time.monotonic()
                await asked.provider.chat(question(max_tokens=1))
                assert time.monotonic() - start < 15, f"{wire}: the rest of the story was told to nobody"


async def test_too_long_a_prompt_is_a_context_overflow_in_each_format(tmp_path):
    async with serving(tmp_path, n_ctx=512) as talking:
        for wire in FORMATS:
            async with talking(wire) as asked:
                with pytest.raises(ProviderRejection) as caught:
                    await asked.ask(question("word " * 600))
            error = caught.value
            assert (error.status, error.category) == (400, ErrorCategory.CONTEXT_OVERFLOW), wire
            assert not error.is_retryable and "context" in error.provider_message, wire


async def test_a_wrong_key_is_refused_in_each_format_s_own_header(tmp_path):
    async with serving(tmp_path) as talking:
        for wire in FORMATS:
            async with talking(wire, key="sk-wrong-0123456789") as asked:
                with pytest.raises(ProviderRejection) as caught:
                    await asked.ask(question())
            assert (caught.value.status, caught.value.category) == (401, ErrorCategory.AUTH), wire
