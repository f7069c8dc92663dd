"""``agdesk ask``: one question, one answer, on the core alone."""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import json
import sys
import time
from typing import Any

from agdesk.app import build_workspace
from agdesk.commands.report import next_attempt, report, show, visible
from agdesk.core.cycle.session import AgentSession, TurnOutcome
from agdesk.core.ir.codec import to_json
from agdesk.core.ir.messages import Assistant
from agdesk.core.ir.response import MessageResponse, StopReason, Usage
from agdesk.core.ir.stream import RefusalDelta, TextDelta
from agdesk.core.providers.answer import answer_document
from agdesk.core.providers.errors import request_id_of
from agdesk.core.providers.parameter_values import read_values
from agdesk.core.providers.registry import split_model_ref, wire_format
from agdesk.core.providers.replay import replay
from agdesk.core.providers.router import Needs, choice_in_words
from agdesk.core.trace.events import (
    ParameterRepaired,
    RequestPrepared,
    ResponseReceived,
    RetryScheduled,
    StreamEventReceived,
    TraceRecord,
)
from agdesk.core.trace.wire import FrameReceived, ResponseStarted
from agdesk.core.workspace import Workspace


def run(options: argparse.Namespace) -> int:
    """Asks and prints; 0 when the answer came, 1 when the provider or model failed."""
    return asyncio.run(_ask(options))


async def _ask(options: argparse.Namespace) -> int:
    provider_id = split_model_ref(options.model)[0] if options.model else ""
    if options.base_url and not provider_id:
        print("agdesk: --base-url goes with --model: it is the address of one provider", file=sys.stderr)
        return 2
    workspace = build_workspace(
        options.data_dir, base_urls={provider_id: options.base_url} if options.base_url else None
    )
    try:
        session = workspace.open_session(options.model or await _chosen_model(workspace, options.needs))
        session.required = options.needs
        session.system_prompt = options.system
        session.parameters = read_values(tuple(options.param))
        if (problem := workspace.settings_problem) is not None:
            report(problem)
        watch = _Watch(workspace, session, options)
        outcome = await session.submit(options.prompt)
        if options.json:
            print(json.dumps(watch.document(outcome), ensure_ascii=False))
        elif watch.has_printed:
            print(flush=True)
        if outcome.error is not None:
            report(outcome.error)
        return 1 if outcome.error else 0
    finally:
        await workspace.aclose()


async def _chosen_model(workspace: Workspace, needs: Needs) -> str:
    """The model for ``needs``; standard error tells which one it is, and why."""
    row = await workspace.choose_model(needs)
    print(visible(f"agdesk: {choice_in_words(row, needs)}"), file=sys.stderr)
    return row.ref


class _Watch:
    """Follows the one turn: prints what is wanted as it arrives and keeps what the JSON needs."""

    def __init__(self, workspace: Workspace, session: AgentSession, options: argparse.Namespace) -> None:
        self._workspace = workspace
        self._session = session
        self.has_printed = False
        self._prints_events = options.events
        self._prints_text = not options.events and not options.json
        self._tells_retries = not options.json
        self._frames: dict[int, tuple[int, int]] = {}
        self._response: MessageResponse | None = None
        self._request_id: str | None = None
        self._ledger: tuple[str, ...] = ()
        self._start_ns = self._end_ns = 0
        self._body = bytearray()
        self._started: ResponseStarted | None = None
        session.records.subscribe(self._see)
        session.recorder.bodies.subscribe(lambda part: self._body.extend(part[1]))

    def document(self, outcome: TurnOutcome) -> dict[str, Any]:
        """The object of ``--json``: the answer as far as it came, the error if one ended it, and the figures."""
        response = self._response or MessageResponse("", "", Assistant(()), Usage(), StopReason.ERROR)
        response = dataclasses.replace(response, error=outcome.error)
        headers = dict(self._started.headers) if self._started else {}
        return {
            **answer_document(response, ignored_fields=self._ignored_fields()),
            "request_id": request_id_of(headers) or self._request_id,
            "latency_ms": round((self._end_ns - self._start_ns) / 1e6, 1) if self._end_ns else None,
            "ledger": list(self._ledger),
            "cost": self._session.cost.total_usd if self._session.cost.request_count else None,
        }

    def _ignored_fields(self) -> int:
        """Counted on the recorded body, off the path that was timed."""
        if self._started is None:
            return 0
        provider_id, model = split_model_ref(self._session.model_ref)
        endpoint = self._workspace.registry.endpoint(provider_id)
        return replay(
            bytes(self._body),
            wire=wire_format(endpoint.wire),
            endpoint=endpoint,
            model=model,
            status=self._started.status,
            headers=dict(self._started.headers),
            chunk_bytes=None,
            now_s=time.time(),
        ).ignored_fields

    def _see(self, record: TraceRecord) -> None:
        match record.payload:
            case StreamEventReceived(frame_seq=frame_seq, event=event):
                if self._prints_events:
                    self._print_event(record, self._frames.get(frame_seq or 0), event)
                elif self._prints_text and isinstance(event, TextDelta | RefusalDelta):
                    show(event.text)
                    self.has_printed = True
            case FrameReceived(start=start, end=end):
                self._frames = {record.seq: (start, end)}
            case RequestPrepared(ledger=ledger):
                self._start_ns, self._request_id, self._ledger = record.ts_ns, record.request_id, ledger
                self._response, self._started, self._end_ns = None, None, 0  # what an attempt before has left
                self._body.clear()
            case ResponseStarted():
                self._started = record.payload
            case ResponseReceived(response=response):
                self._response, self._end_ns = response, record.ts_ns
            case RetryScheduled() | ParameterRepaired() if self._tells_retries:
                print(visible(f"agdesk: {next_attempt(record.payload)}"), file=sys.stderr, flush=True)
            case _:
                pass

    def _print_event(self, record: TraceRecord, frame: tuple[int, int] | None, event: Any) -> None:
        line = {
            "seq": record.seq,
            "t_ms": round((record.ts_ns - self._start_ns) / 1e6, 3),
            "frame": frame,
            "event": to_json(event),
        }
        print(json.dumps(line, ensure_ascii=False), flush=True)
