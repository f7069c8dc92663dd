"""What Ollama's own API refuses (K12, L03, L04, L05, L10), and what it would silently misread."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.fakes.strict.refusing import NOTHING, NULL, Checker, Issued, Refused, shape

_MEMBERS = {
    "model": str,
    "messages": list,
    "stream": bool,
    "tools": list,
    "think": (bool, str),
    "format": (str, dict),
    "options": dict,
    "keep_alive": (str, int),
    "truncate": bool,
    "shift": bool,
    "logprobs": bool,
    "top_logprobs": int,
}
_MESSAGE = {
    "role": str,
    "content": str,
    "thinking": str,
    "images": list,
    "tool_calls": list,
    "tool_name": str,
    "tool_call_id": str,
}
_IMAGE_BYTES = 100_000_000


def refused(place: str, why: str, *, status: int = 400) -> Refused:
    """An error in this provider's shape."""
    return Refused(status, {"error": f"{place}: {why}"})


def check(body: Any, *, headers: Mapping[str, str] | None = None, issued: Issued = NOTHING) -> None:
    """Raises ``Refused`` if the server would not take this body; a local server looks at no header."""
    _Ollama(refused, issued).body(body)


class _Ollama(Checker):
    def body(self, body: Any) -> None:
        self.members(body, "", _MEMBERS, needed=("model", "messages"))
        think = body.get("think", False)
        self.must(isinstance(think, bool) or think in ("low", "medium", "high", "max"), "think", "invalid think value")
        self.must(not isinstance(body.get("format"), str) or body["format"] == "json", "format", "invalid format")
        self._options(body.get("options", {}))
        for place, tool in self.items(body.get("tools", []), "tools", least=0):
            self.members(tool, place, {"type": str, "function": dict}, needed=("type", "function"))
            members = shape(name=str, description=str, parameters=dict)
            self.members(tool["function"], place, members, needed=("name", "parameters"))
        waiting: list[tuple[str, str]] = []
        for place, message in self.items(body["messages"], "messages"):
            role = message.get("role") if isinstance(message, dict) else None
            self.word(role, f"{place}.role", ("system", "user", "assistant", "tool"))
            for name in [name for name in message if name not in _MESSAGE]:
                self.own({name: message[name]}, f"{place}.{name}")
            known = {name: message[name] for name in message if name in _MESSAGE}
            self.members(known, place, _MESSAGE, needed=("content",))
            for inner, image in self.items(message.get("images", []), f"{place}.images", least=0):
                self.base64(image, inner, most=_IMAGE_BYTES)
            if role == "tool":
                self._result(message, place, waiting)
                continue
            self.must(not waiting, place, f"calls without a result: {waiting}")
            says = message["content"].strip() or any(message.get(name) for name in ("images", "tool_calls", "thinking"))
            self.must(bool(says or message.keys() > known.keys()), place, "says nothing")
            for name in ("tool_name", "tool_call_id"):
                self.must(name not in message, f"{place}.{name}", "belongs to a result")
            if role != "assistant":
                for name in ("thinking", "tool_calls"):
                    self.must(name not in message, f"{place}.{name}", "belongs to the model")
            waiting = self._calls(message.get("tool_calls", []), f"{place}.tool_calls")
        self.must(not waiting, "messages", f"calls without a result: {waiting}")

    def _calls(self, calls: Any, place: str) -> list[tuple[str, str]]:
        found = []
        for inner, call in self.items(calls, place, least=0):
            self.kind(call, inner, dict)
            function = call.get("function")
            self.kind(function, f"{inner}.function", dict)
            self.kind(call.get("id"), f"{inner}.id", (str, NULL))
            self.kind(function.get("name"), f"{inner}.function.name", str)
            self.kind(function.get("arguments"), f"{inner}.function.arguments", dict)
            self.kind(function.get("index", 0), f"{inner}.function.index", int)
            for name in [name for name in call if name not in ("id", "function")]:
                self.own({name: call[name]}, f"{inner}.{name}")
            found.append((function["name"], call.get("id", "")))
        return found

    def _result(self, message: dict[str, Any], place: str, waiting: list[tuple[str, str]]) -> None:
        named = (message.get("tool_name", ""), message.get("tool_call_id", ""))
        self.must(bool(named[0]), f"{place}.tool_name", "is required")
        # by its place only, where there are no ids: results of one tool cannot be told apart otherwise
        self.must(bool(waiting) and waiting[0] == named, place, f"is no result of the call that waits: {waiting[:1]}")
        waiting.pop(0)

    def _options(self, options: Any) -> None:
        for name, value in options.items():
            kinds = {"num_ctx": int, "num_predict": int, "seed": int, "top_k": int, "stop": list}
            self.kind(value, f"options.{name}", kinds.get(name, (int, float, str, bool, list)))
