"""Tells the time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from typing_extensions import override

from agdesk.core.errors import ToolFailed
from agdesk.core.ir.request import ResultSemantic
from agdesk.core.settings.validation import Field
from agdesk.core.tools.base import ToolContext, ToolOutput, text_output
from agdesk.core.tools.builtin.tool import BuiltinTool, ToolInput, on_thread


class CurrentTimeInput(ToolInput):
    time_zone: str = Field(default="", description="Such as Europe/Paris; empty for that of the user.")


def _now() -> datetime:
    return datetime.now(UTC)


class CurrentTime(BuiltinTool[CurrentTimeInput]):
    """``now`` gives the time, with its zone."""

    name = "current_time"
    description = "Tells the date, the weekday, the time and the time zone."
    semantic = ResultSemantic.FACTUAL
    input_model = CurrentTimeInput

    def __init__(self, *, now: Callable[[], datetime] = _now) -> None:
        super().__init__()
        self._now = now

    @override
    async def foresee(self, wanted: CurrentTimeInput, context: ToolContext) -> None:
        return None

    @override
    async def act(self, wanted: CurrentTimeInput, context: ToolContext) -> ToolOutput:
        def tell() -> str:
            zone = _zone(wanted.time_zone) if wanted.time_zone else None
            return self._now().astimezone(zone).strftime("%A, %Y-%m-%d %H:%M:%S %Z (UTC%z)")

        return text_output(await on_thread(lambda _stop: tell()))


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ToolFailed(
            f"This system knows no time zone {name}", "Names are as Europe/Paris; leave it empty for the user's."
        ) from error
