"""PERF6: a rule tried out on 10,000 recorded calls, for every kind of condition. Bound: 200 ms.

Beside each stands the least that must be done: a loop over the same calls that compares server and tool and looks the
argument up. Arguments are as models write them: long contents, odd paths and odd addresses among them.
"""

from __future__ import annotations

import json
import random
import sys
import time
from typing import Any

from agdesk.core.ir.approval import ApprovalRule, Predicate, RuleVerdict, Verdict
from agdesk.core.tools.rehearsal import RecordedCall, rehearse

CALLS = 10_000
ROUNDS = 5
CONDITIONS = {
    "any arguments": (),
    "equals": (Predicate("$.path", "equals", "src/module_7/file_3.py"),),
    "whole input": (Predicate("$", "equals", {"path": "src/module_7/file_3.py", "content": "x" * 4_000}),),
    "starts_with": (Predicate("$.path", "starts_with", "src/module_7/"),),
    "glob": (Predicate("$.path", "glob", "src/*/file_*.py"),),
    "under_folder": (Predicate("$.path", "under_folder", "/project/src"),),
    "host_is": (Predicate("$.url", "host_is", ".example.com"),),
}


def recorded_calls() -> list[RecordedCall]:
    """Half of them of files, half of addresses; one in twenty is odd."""
    chance = random.Random(7)
    calls = []
    for number in range(CALLS):
        odd = chance.random() < 0.05
        path = f"{'../' if odd else ''}src/module_{chance.randrange(20)}/file_{chance.randrange(9)}.py"
        url = f"https://{'ü@' if odd else ''}host{chance.randrange(50)}.example.com/page?{number}"
        arguments = {"path": path, "content": "x" * 4_000} if number % 2 else {"url": url}
        verdict = Verdict.DENY if chance.random() < 0.1 else Verdict.ALLOW
        calls.append(RecordedCall(f"call-{number}", "builtin", "tool", arguments, verdict, "/project"))
    return calls


def measure() -> dict[str, Any]:
    """Milliseconds of the best of several rounds, for a rule of each kind that denies: it has the most to look at."""
    calls = recorded_calls()
    arms: dict[str, Any] = {}
    for name, where in CONDITIONS.items():
        rule = ApprovalRule("r", RuleVerdict.DENY, "builtin:tool", where)
        best_s, matched_count = min(_timed(lambda rule=rule: len(rehearse(rule, calls).matched)) for _ in range(ROUNDS))
        key = where[0].path[2:] if where else ""
        bare_s, _ = min(_timed(lambda key=key: _bare(calls, key)) for _ in range(ROUNDS))
        arms[name] = {"ms": round(best_s * 1000, 1), "bare_ms": round(bare_s * 1000, 1), "matched": matched_count}
    return {"calls": CALLS, "conditions": arms}


def _timed(work: Any) -> tuple[float, int]:
    started_s = time.perf_counter()
    count = work()
    return time.perf_counter() - started_s, count


def _bare(calls: list[RecordedCall], key: str) -> int:
    return sum(1 for call in calls if call.server == "builtin" and call.tool == "tool" and call.input.get(key))


def main() -> int:
    """Prints the figures as JSON."""
    json.dump(measure(), sys.stdout, indent=2)
    return 0


if __name__ == "__main__":
    sys.exit(main())
