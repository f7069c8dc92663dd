"""A conversation in every state: empty, answered, streaming, failed, in Chinese, one of thirty."""

from __future__ import annotations

import asyncio

from PySide6.QtWidgets import QWidget

from agdesk.core.errors import ErrorCategory, ProviderRejection
from agdesk.core.ir import stream as ev
from agdesk.core.ir.response import PartialUsage, StopReason
from agdesk.core.providers.scripted import Pause, Step, text_answer
from agdesk.ui.chat.status import Phase
from agdesk.ui.widgets.transcript.pane import TextPane
from tools.screenshots.stage import HOLD, LIMIT_S, Scene, Stage

ANSWER = """A **token** is a piece of text that a model reads or writes at once. English words are about
*one and a third* tokens each:

| text | tokens | why |
|---|--:|---|
| `hello` | 1 | a frequent word |
| `tokenization` | 2 | `token` + `ization` |
| `Donaudampfschiff` | 6 | rare, so it is cut up |

To count them:

```python
def count(text: str, *, vocabulary: dict[str, int]) -> int:
    \"\"\"How many pieces of the vocabulary make up a text.\"\"\"
    pieces = 0
    while text:
        piece = next(text[:n] for n in range(len(text), 0, -1) if text[:n] in vocabulary)
        text, pieces = text[len(piece) :], pieces + 1
    return pieces
```

1. Prices are *per million* tokens.
2. The context window is counted in them too:
   - what you send,
   - and what the model answers.

> A rule of thumb: four characters of English are one token.
"""
FORMULAS = r"""The density at $x$ with mean $\mu$ and variance $\sigma^2$ is[^1]

$$
f(x) = \frac{1}{\sqrt{2\pi\sigma^2}} \, e^{-\frac{(x-\mu)^2}{2\sigma^2}}, \qquad \int_{-\infty}^{\infty} f(x)\,dx = 1
$$

均值的估计是 $\bar{x} = \frac{1}{n}\sum_{i=1}^n x_i$，方差见下：

\[ \begin{pmatrix} a & b \\ c & d \end{pmatrix}^{-1} = \frac{1}{ad-bc}\begin{pmatrix} d & -b \\ -c & a \end{pmatrix} \]

- [x] mean
- [ ] ~~median~~ variance

[^1]: Named after *Gauss*; a ticket costs $5 or $10.
"""
_THOUGHT = "The user wants a definition and a way to count. A table of examples, then a short function."


def _refused() -> ProviderRejection:
    """A wait that is too long to be waited for."""
    return ProviderRejection(
        "The rate limit was hit (HTTP 429, rate_limit_exceeded): Rate limit reached for gpt-5-mini on tokens per min.",
        "Wait and send again, or choose another model.",
        category=ErrorCategory.RATE_LIMIT,
        status=429,
        code="rate_limit_exceeded",
        provider_message="Rate limit reached for gpt-5-mini on tokens per min.",
        retry_after_s=300.0,
        request_id="req_8f2c41d09a7e4b5f",
        is_retryable=True,
    )


_BUSY = ProviderRejection(
    "The rate limit was hit (HTTP 429)",
    category=ErrorCategory.RATE_LIMIT,
    status=429,
    retry_after_s=12.0,
    is_retryable=True,
)
_CHINESE = (
    "词元是模型一次读取或写入的一小段文字。一个汉字通常是一到两个词元，所以同样的内容用中文和英文写，费用会不同。"
)
_LONG_WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 3


def _thinking_answer(text: str, *ending: Step) -> tuple[Step, ...]:
    return (
        Pause(0.4),
        ev.MessageStart("answer-1", "scripted"),
        ev.ContentBlockStart(0, ev.ThinkingType()),
        ev.ThinkingDelta(_THOUGHT, 0),
        Pause(2.6),
        ev.ContentBlockEnd(0),
        ev.ContentBlockStart(1, ev.TextType()),
        ev.TextDelta(text[:40], 1),
        Pause(4.0),
        ev.TextDelta(text[40:], 1),
        *ending,
    )


def _end(block: int) -> tuple[Step, ...]:
    usage = PartialUsage(prompt_tokens=38, completion_tokens=412)
    return (ev.ContentBlockEnd(block), ev.CostUpdate(usage), ev.MessageComplete(StopReason.END_TURN))


async def _empty(stage: Stage) -> QWidget:
    return await stage.window()


async def _markdown(stage: Stage) -> QWidget:
    window = await stage.window(_thinking_answer(ANSWER, *_end(1)))
    await stage.ask(window, "What is a token, and how do I count them?")
    return window


async def _formulas(stage: Stage) -> QWidget:
    window = await stage.window(_thinking_answer(FORMULAS, *_end(1)))
    await stage.ask(window, "What is the normal distribution? 正态分布是什么？")
    panes = window.findChildren(TextPane)
    async with asyncio.timeout(LIMIT_S):
        while any(pane.awaits_objects for pane in panes):
            await asyncio.sleep(0.05)
    return window


async def _streaming(stage: Stage) -> QWidget:
    window = await stage.window(_thinking_answer(ANSWER[:620], HOLD))
    await stage.ask_and_hold(window, "What is a token, and how do I count them?")
    return window


async def _failed(stage: Stage) -> QWidget:
    begun = (ev.MessageStart("answer-2", "scripted"), ev.ContentBlockStart(0, ev.TextType()))
    window = await stage.window(
        text_answer("Of course: which one do you mean?"),
        (Pause(0.7), _refused()),
        (*begun, ev.TextDelta("The first half of an answer, and then", 0), Pause(1.2), _refused()),
    )
    await stage.ask(window, "Can you help me with my thesis?")
    await stage.ask(window, "The one about tokens.")
    await stage.ask(window, "Please try again.")
    return window


async def _countdown(stage: Stage) -> QWidget:
    window = await stage.window(text_answer("Of course: which one do you mean?"), (_BUSY,))
    tab = await stage.ask(window, "Can you help me with my thesis?")
    tab.send("The one about tokens.")
    async with asyncio.timeout(LIMIT_S):
        while tab.phase is not Phase.WAITING:
            await asyncio.sleep(0.01)
    return window


async def _offer(stage: Stage) -> QWidget:
    refused = ProviderRejection(
        "The provider refused the request (HTTP 400, unsupported_value): Unsupported value: 'temperature' does not "
        "support 0.2 with this model. Only the default (1) value is supported.",
        "Change or clear the parameter, tool or attachment that the message names.",
        category=ErrorCategory.INVALID_REQUEST,
        status=400,
        code="unsupported_value",
        param="temperature",
    )
    unknown = ProviderRejection("", category=ErrorCategory.INVALID_REQUEST, status=400, param="stream_options")
    refused.removable, unknown.removable = "temperature", "stream_options"
    window = await stage.window((unknown,), (Pause(0.4), refused))  # the first is repaired without asking
    await stage.ask(window, "What is a token?")
    return window


async def _chinese(stage: Stage) -> QWidget:
    window = await stage.window(text_answer(_CHINESE), text_answer(f"It is: {_LONG_WORD}. And `{_LONG_WORD}`."))
    await stage.ask(window, "什么是词元？请用两句话说明。")
    await stage.ask(window, f"What is the longest word? {_LONG_WORD}?")
    return window


async def _versions(stage: Stage) -> QWidget:
    """The second of two answers, and a question that is being edited."""
    answers = ("A piece of text.", "词元是模型一次读写的一段文字。", "About four characters of English.")
    window = await stage.window(*(text_answer(answer) for answer in answers))
    tab = await stage.ask(window, "What is a token?")
    await tab.session.regenerate()
    await stage.ask(window, "How long is it?")
    tab.branches.edit()
    return window


async def _many_tabs(stage: Stage) -> QWidget:
    window = await stage.window(*(text_answer(f"Answer {number}.") for number in range(1, 31)))
    for number in range(1, 31):
        if number > 1:
            window.open_tab()
        await stage.ask(window, f"Question {number}: what is a token?")
    return window


SCENES = (
    Scene("conversation-empty", _empty, is_on_every_screen=True),
    Scene("conversation-markdown", _markdown, is_on_every_screen=True),
    Scene("conversation-formulas", _formulas, is_on_every_screen=True),
    Scene("conversation-streaming", _streaming),
    Scene("conversation-error", _failed, is_on_every_screen=True),
    Scene("conversation-countdown", _countdown),
    Scene("conversation-offer", _offer),
    Scene("conversation-chinese", _chinese),
    Scene("conversation-versions", _versions, is_on_every_screen=True),
    Scene("conversation-tabs", _many_tabs),
)
