"""Finding in a conversation, and code with numbers and without wrapping."""

from __future__ import annotations

import asyncio

from PySide6.QtWidgets import QWidget

from agdesk.core.providers.scripted import text_answer
from agdesk.ui.chat import ChatTab
from agdesk.ui.widgets.code_look import CodeLook
from tools.screenshots.scenes.conversation import ANSWER
from tools.screenshots.stage import LIMIT_S, Scene, Stage

_SIGNATURE = (
    "def most_frequent(text: str, *, count: int = 10, is_case_sensitive: bool = False, "
    "stop_words: frozenset[str] = frozenset()) -> list[tuple[str, int]]:"
)
_CODE = f'''Both in one function:

```python
import re
from collections import Counter

WORD = re.compile(r"[\\w']+")


{_SIGNATURE}
    """The most frequent words of a text, with how often they occur."""
    words = WORD.findall(text if is_case_sensitive else text.casefold())
    return Counter(word for word in words if word not in stop_words).most_common(count)
```

```mermaid
graph LR
  text --> words --> counts
```
'''


async def _searched(stage: Stage, text: str) -> tuple[QWidget, ChatTab]:
    window = await stage.window(text_answer(ANSWER))
    chat = await stage.ask(window, "What is a token, and how do I count them?")
    chat.reading.open_find()
    assert chat.reading.bar is not None
    chat.reading.bar.field.setText(text)
    async with asyncio.timeout(LIMIT_S):
        while chat.transcript.finder.progress < 1.0:
            await asyncio.sleep(0.01)
    return window, chat


async def _found(stage: Stage) -> QWidget:
    window, chat = await _searched(stage, "token")
    chat.reading.step_find(1)
    return window


async def _nothing(stage: Stage) -> QWidget:
    window, _ = await _searched(stage, "syllable")
    return window


async def _code(stage: Stage) -> QWidget:
    window = await stage.window(text_answer(_CODE))
    window.set_code_look(CodeLook(is_wrapped=False, has_numbers=True))
    await stage.ask(window, "The most frequent words of a text?")
    return window


async def _wrapped_code(stage: Stage) -> QWidget:
    window = await stage.window(text_answer(_CODE))
    window.set_code_look(CodeLook(has_numbers=True))
    await stage.ask(window, "The most frequent words of a text?")
    return window


SCENES = (
    Scene("find-matches", _found),
    Scene("find-nothing", _nothing),
    Scene("code-numbers", _code, is_on_every_screen=True),
    Scene("code-numbers-wrapped", _wrapped_code),
)
