"""A long conversation made up from a seed: tool results of every semantic, thoughts signed and not, Chinese, errors,
lists, JSON objects. The same seed gives the same messages on every machine.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from agdesk.core.ir.blocks import ContentBlock, Text, Thinking, ToolResult, ToolUse
from agdesk.core.ir.messages import Assistant, Message, Origin, Tool, User, system, user
from agdesk.core.ir.request import ResultSemantic, ToolDefinition

_TOPIC_WORDS = 12
_END, _SUMMED_UP = 16, 40  # messages; results
ORIGIN = Origin("anthropic", "model-1", "anthropic")
_FIRST = (
    "ash",
    "birch",
    "clay",
    "deep",
    "east",
    "fern",
    "gold",
    "high",
    "iron",
    "moor",
    "north",
    "river",
    "stone",
    "west",
)
_LAST = (
    "anchor", "archive", "barrel", "beacon", "bridge", "cabinet", "canal", "chapel", "cistern", "cottage", "depot",
    "dome", "ferry", "foundry", "fountain", "gallery", "garden", "granary", "harbour", "hollow", "island", "lantern",
    "library", "market", "meadow", "mill", "orchard", "pillar", "quarry", "railway", "shelter", "station", "steeple",
    "tavern", "tower", "tunnel", "valley", "vineyard", "wagon", "workshop",
)  # fmt: skip
_CHINESE = (
    "港口的灯塔每晚亮起", "果园里的苹果熟了", "铁路经过山谷和村庄", "工匠修理旧的水车", "商人把货物运到市场",
    "图书馆保存着古老的地图", "河流在桥下慢慢流过", "渔船清晨离开码头", "葡萄园的土壤非常肥沃", "仓库需要新的木材",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LongConversation:
    """The messages and the tools that were offered; of one called tool there is no definition any more."""

    messages: tuple[Message, ...]
    tools: tuple[ToolDefinition, ...]


def _tool(name: str, parameter: str, semantic: ResultSemantic) -> ToolDefinition:
    schema = {"type": "object", "properties": {parameter: {"type": "string"}}, "required": [parameter]}
    return ToolDefinition(name, f"{name.replace('_', ' ').capitalize()}.", schema, semantic)


TOOLS = (
    _tool("search_text", "query", ResultSemantic.FACTUAL),
    _tool("read_file", "path", ResultSemantic.FACTUAL),
    _tool("list_orders", "customer", ResultSemantic.FACTUAL),
    _tool("fetch_url", "url", ResultSemantic.FACTUAL),
    _tool("send_mail", "to", ResultSemantic.ACTION),
    _tool("write_file", "path", ResultSemantic.ACTION),
    _tool("run_command", "command", ResultSemantic.MIXED),
)


def long_conversation(message_count: int = 2000, *, seed: int = 8) -> LongConversation:
    """A conversation of exactly ``message_count`` messages; every call in it is answered.

    Args:
        message_count: at least 1; the first is the system's.
        seed: of all that is made up.
    """
    return LongConversation(_Author(random.Random(seed)).write(message_count), TOOLS)


class _Author:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._call_count = 0
        self._topic: list[str] = []
        self._results: list[str] = []  # what the model may come back to
        self._tools: dict[str, Callable[[], tuple[dict[str, Any], str]]] = {
            "search_text": self._search,
            "read_file": self._file,
            "list_orders": self._orders,
            "fetch_url": self._page,
            "send_mail": self._mail,
            "write_file": self._written,
            "run_command": self._command,
            "old_lookup": self._lookup,
        }

    def write(self, message_count: int) -> tuple[Message, ...]:
        """Turns of a question, up to two rounds of calls, and an answer."""
        messages: list[Message] = [system("Answer from the tools. " + self._sentence())]
        while message_count - len(messages) >= 6:
            self._topic.clear()
            messages.append(user(self._said()))
            for _ in range(self._chance.choice((0, 1, 1, 2))):
                messages += self._round()
            is_end = message_count - len(messages) < _END
            messages.append(self._summary() if is_end else self._answer())
        while len(messages) < message_count:
            messages.append(self._summary() if isinstance(messages[-1], User) else user(self._said()))
        return tuple(messages)

    def _round(self) -> tuple[Assistant, Tool]:
        names = self._chance.choices(sorted(self._tools), k=self._chance.choice((1, 1, 1, 2)))
        calls: list[ContentBlock] = []
        results = []
        for name in names:
            self._call_count += 1
            arguments, text = self._tools[name]()
            is_error = self._chance.random() < 0.05
            if is_error:
                text = self._failure()
            self._results.append(text)
            raw = json.dumps(arguments, ensure_ascii=False)
            calls.append(ToolUse(f"call_{self._call_count}", name, arguments, raw))
            results.append(ToolResult(f"call_{self._call_count}", name, (Text(text),), is_error))
        return Assistant((*self._thoughts(), *calls), ORIGIN), Tool(tuple(results))

    def _answer(self) -> Assistant:
        """Every second answer takes up words of a result, now and then of an old one."""
        text = self._said()
        if self._results and self._chance.random() < 0.5:
            back = self._chance.choice((1, 1, 1, 2, 5, 20))
            old = self._results[-min(back, len(self._results))]
            start = self._chance.randrange(max(1, len(old) - 80))
            text += " As it says: " + old[start : start + 80]
        return Assistant((*self._thoughts(), Text(text)), ORIGIN)

    def _summary(self) -> Assistant:
        """What the last turns end with: it goes back to results of any age."""
        old = self._chance.sample(self._results, min(_SUMMED_UP, len(self._results)))
        return Assistant((*self._thoughts(), Text("\n".join(text[:100] for text in old) or self._said())), ORIGIN)

    def _thoughts(self) -> tuple[Thinking, ...]:
        if self._chance.random() < 0.6:
            return ()
        text = self._prose(self._chance.choice((1, 3, 8)))
        signature = f"signed-{self._chance.getrandbits(64):016x}" if self._chance.random() < 0.5 else None
        return (Thinking(text, signature),)

    def _search(self) -> tuple[dict[str, Any], str]:
        query = " ".join(self._words(2))
        hits = [
            {"path": f"notes/{self._word()}.md", "line": self._chance.randrange(900), "text": self._sentence()}
            for _ in range(self._chance.choice((0, 1, 4, 12, 40)))
        ]
        if len(hits) == 1:
            return {"query": query}, json.dumps([f"notes/{word}.md" for word in self._words(3)])
        return {"query": query}, json.dumps(hits)

    def _file(self) -> tuple[dict[str, Any], str]:
        path = f"src/{self._word()}/{self._word()}.py"
        lines = self._chance.choice((2, 20, 120))
        return {"path": path}, "\n".join(f"{self._word()} = load({self._sentence()!r})" for _ in range(lines))

    def _orders(self) -> tuple[dict[str, Any], str]:
        rows = [
            {"id": self._chance.randrange(10**6), "goods": self._words(2), "paid": self._chance.random() < 0.5}
            for _ in range(self._chance.choice((2, 10, 60)))
        ]
        shape = {"orders": rows} if self._chance.random() < 0.5 else {"orders": rows, "next": None, "count": len(rows)}
        return {"customer": self._word().capitalize()}, json.dumps(shape)

    def _page(self) -> tuple[dict[str, Any], str]:
        paragraphs = self._chance.choice((1, 10, 40))
        text = "\n".join("。".join(self._chance.choices(_CHINESE, k=5)) + "。" for _ in range(paragraphs))
        return {"url": f"https://{self._word()}.example/{self._word()}"}, text

    def _mail(self) -> tuple[dict[str, Any], str]:
        receiver = f"{self._word()}@{self._word()}.example"
        if self._chance.random() < 0.3:
            return {"to": receiver}, f"Accepted for {receiver}.\n" + self._prose(self._chance.choice((4, 40)))
        status = {"ok": True, "status": "sent", "id": f"m{self._chance.randrange(10**6)}", "message": self._prose(4)}
        return {"to": receiver}, json.dumps(status)

    def _written(self) -> tuple[dict[str, Any], str]:
        return {"path": f"out/{self._word()}.txt", "text": self._prose(3)}, json.dumps({"status": "written"})

    def _command(self) -> tuple[dict[str, Any], str]:
        lines = self._chance.choice((1, 15, 90))
        return {"command": f"make {self._word()}"}, "\n".join(f"[{n}] {self._sentence()}" for n in range(lines))

    def _lookup(self) -> tuple[dict[str, Any], str]:
        members = {word: self._sentence() for word in self._words(self._chance.choice((2, 8, 40)))}
        return {"key": self._word()}, json.dumps(members)

    def _failure(self) -> str:
        return json.dumps({"error": {"message": self._sentence(), "trace": self._prose(6)}})

    def _said(self) -> str:
        if self._chance.random() < 0.25:
            return "，".join(self._chance.choices(_CHINESE, k=self._chance.choice((1, 4)))) + "。"
        return self._prose(self._chance.choice((1, 3, 6)))

    def _prose(self, sentences: int) -> str:
        return " ".join(self._sentence() for _ in range(sentences))

    def _sentence(self) -> str:
        one, two, three = self._words(3)
        number = self._chance.randrange(2, 400)
        return f"The {one} and the {two} led to the {three} in {1500 + number}."

    def _words(self, count: int) -> list[str]:
        """Those of one turn come again in it."""
        while len(self._topic) < max(count, _TOPIC_WORDS):
            self._topic.append(self._chance.choice(_FIRST) + self._chance.choice(_LAST))
        return self._chance.sample(self._topic, count)

    def _word(self) -> str:
        return self._words(1)[0]
