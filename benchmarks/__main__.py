"""``python -m benchmarks [NAME…]``: measures all figures, or the named ones; all of them make docs/benchmarks.md."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FIGURES = (
    "wire_throughput",
    "transcript_growth",
    "eight_columns",
    "window_streams",
    "open_conversation",
    "compaction_plan",
    "start_up",
    "policy_rehearsal",
)


def main(names: list[str]) -> int:
    """Runs each figure in a process of its own, prints it, and writes the page."""
    unknown = set(names) - set(FIGURES)
    if unknown:
        print(f"There is no figure {', '.join(sorted(unknown))}. Known are: {', '.join(FIGURES)}.", file=sys.stderr)
        return 2
    results: dict[str, Any] = {}
    for name in names or FIGURES:
        print(f"{name} …", flush=True)
        results[name] = measured(name)
        print(json.dumps(results[name], indent=2), flush=True)
    if not names:
        page = ROOT / "docs" / "benchmarks.md"
        page.write_text(render(results), "utf-8")
        print(f"Written: {page.relative_to(ROOT)}")
    return 0


def measured(name: str) -> Any:
    """One figure, from a fresh process."""
    code = f"import json, sys; from benchmarks import {name}; json.dump({name}.measure(), sys.stdout)"
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    return json.loads(done.stdout)


def render(results: dict[str, Any]) -> str:
    """The page: each figure with its bound and what it was measured beside."""
    wire, growth = results["wire_throughput"], results["transcript_growth"]
    columns, start = results["eight_columns"], results["start_up"]
    lines = [
        "# Benchmarks",
        "",
        "Written by `make bench`; every figure stands beside a peer or a baseline measured in the same run.",
        "Milliseconds hold for the machine named here, ratios travel.",
        "",
        f"{date.today()}, {platform.platform()}, Python {platform.python_version()}, {os.cpu_count()} processors.",
        "",
        *wire_lines(wire),
        "",
        "## PERF2: eight streams into eight visible conversations",
        "",
        "A server in its own process, one network write per event, everything stored. The block is what a gap between",
        "two turns of the GUI loop has beyond the 4 ms heartbeat; the lag is the painted text behind the server's",
        "schedule. Bounds at 8 × 250: lag < 100 ms, block p99 ≤ 16 ms, max ≤ 50 ms; at 8 × 1,000 blocks",
        "stay so and the lag is stated.",
        "",
        "| events/s | block p99 | block max | lag p50 | lag p99 | processor |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for rate, arm in columns.items():
        lines.append(
            f"| {rate} | {arm['block_p99_ms']} ms | {arm['block_max_ms']} ms | {arm['lag_p50_ms']} ms | "
            f"{arm['lag_p99_ms']} ms | {arm['cpu_percent']} % |"
        )
    window = results["window_streams"]
    lines += [
        "",
        "In the program's own window, the inspector open, somebody typing: eight streams into eight tabs and a ninth",
        f"into a detached window at 250 events/s each: block p99 {window['block_p99_ms']} ms, max "
        f"{window['block_max_ms']} ms, lag p50 {window['lag_p50_ms']} ms, p99 {window['lag_p99_ms']} ms, "
        f"{window['cpu_percent']} % of a processor.",
        "",
        *growth_lines(growth),
        "",
        *opening_lines(results["open_conversation"]),
        "",
        *compaction_lines(results["compaction_plan"]),
        "",
    ]
    starts = start["start_ms"]
    lines += [
        "## PERF5: start to the first painted, usable window",
        "",
        "Medians of fresh processes that alternate. Bound: 3 × one empty PySide6 main window; idle < 0.5 % of a core.",
        "",
        "| agdesk | empty QMainWindow | ratio | idle processor | idle memory |",
        "|---:|---:|---:|---:|---:|",
        f"| {starts['agdesk']} ms | {starts['empty QMainWindow']} ms | {start['ratio']} × | "
        f"{start['idle_cpu_percent']} % | {start['idle_rss_mb']} MB |",
        "",
        *rehearsal_lines(results["policy_rehearsal"]),
        "",
    ]
    return "\n".join(lines)


def wire_lines(wire: dict[str, Any]) -> list[str]:
    """PERF1, a row for each format and kind of read."""
    lines = [
        "## PERF1: bytes to frames to typed events to the final message, recorded",
        "",
        f"{wire['events']:,} text deltas; deltas per second of processor time, best of several interleaved rounds.",
        "`limit` is a bare loop of split, `pydantic_core.from_json` and one dataclass. Bounds: 10 × the async stream",
        "of the `openai` SDK, 5 × `messages.stream` of the `anthropic` SDK. Gemini and Ollama have no peer here: they",
        "stand beside the figure of the `openai` SDK for a chat completion of the same text; Gemini counts tokens in",
        "every frame, which makes two events of each.",
        "",
        "| format | reads | agdesk | peer | ratio | limit |",
        "|---|---|---:|---:|---:|---:|",
    ]
    chat = wire["formats"]["openai_chat"]
    for name, kinds in wire["formats"].items():
        for reads, arms in kinds.items():
            own, limit = arms["agdesk"], arms["limit"]
            peer = next((arm for arm in arms if arm.endswith(" SDK")), "")
            figure = arms[peer] if peer else chat[reads]["openai SDK"]
            words = f"{peer} {figure:,}" if peer else f"(openai SDK, chat) {figure:,}"
            lines.append(f"| {name} | {reads} | {own:,} | {words} | {own / figure:.1f} × | {limit:,} |")
    return lines


def growth_lines(growth: dict[str, Any]) -> list[str]:
    """PERF2's second half: one answer that grows."""
    lines = [
        "One answer growing to 100,000 lines, each delta with the layout and paint it causes. Bound: at the end",
        "≤ 1.5 × at 1,000 lines. The baseline sets the whole document again with `setMarkdown` for every delta.",
        "",
        "| text | at 1,000 lines | at 100,000 lines | ratio | memory grown | documents alive |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for kind, arm in growth["growth"].items():
        lines.append(
            f"| {kind} | {arm['at_1000_lines_ms']} ms | {arm['at_100000_lines_ms']} ms | {arm['ratio']} × | "
            f"{arm['grown_mb']} MB | {arm['documents']} |"
        )
    whole = growth["set_markdown"]
    few, more = (f"{whole[f'at_{n}_lines_ms']} ms" for n in (1000, 4000))
    lines += ["", f"Baseline `setMarkdown`: {few} a delta at 1,000 lines, {more} at 4,000."]
    return lines


def opening_lines(opening: dict[str, Any]) -> list[str]:
    """PERF3: a long conversation."""
    baseline = opening["baseline"]
    return [
        f"## PERF3: a stored conversation of {opening['messages']:,} messages",
        "",
        "Opened in the program's window, then scrolled from its end in steps of 240 px, and to places all over it.",
        "Bounds: first screen ≤ 200 ms, ≤ 20 MB, a frame of scrolling p99 ≤ 16 ms. The baseline is one `QTextBrowser`",
        f"with {baseline['messages']:,} of the answers. The first screen shows the end; “all” is when what is before",
        "it is there, and “block” how long the loop was blocked at most meanwhile. Of the memory, a tab with a short",
        f"conversation takes {opening['short_grown_mb']} MB.",
        "",
        "| | first screen | all | memory | a message | rows laid out | block | scroll p99 | scroll max | jump p99 |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
        f"| agdesk | {opening['first_screen_ms']} ms | {opening['whole_ms']} ms | {opening['grown_mb']} MB | "
        f"{opening['bytes_per_message']:,} bytes | {opening['documents']} | {opening['block_max_ms']} ms | "
        f"{opening['scroll_p99_ms']} ms | {opening['scroll_max_ms']} ms | {opening['jump_p99_ms']} ms |",
        f"| one QTextBrowser | {baseline['first_screen_ms']} ms | | {baseline['grown_mb']} MB | "
        f"{baseline['grown_mb'] * 1e6 / baseline['messages']:,.0f} bytes | all | | | | |",
    ]


def rehearsal_lines(rehearsal: dict[str, Any]) -> list[str]:
    """PERF6: a rule tried out on the calls of the past."""
    lines = [
        f"## PERF6: a rule rehearsed over {rehearsal['calls']:,} calls",
        "",
        "Best of several rounds, for a rule with one condition of each kind. Bound: 200 ms. The baseline is a loop",
        "over the same calls that compares names and looks the argument up.",
        "",
        "| condition | rehearsal | baseline | matched |",
        "|---|---:|---:|---:|",
    ]
    for name, arm in rehearsal["conditions"].items():
        lines.append(f"| {name} | {arm['ms']} ms | {arm['bare_ms']} ms | {arm['matched']:,} |")
    return lines


def compaction_lines(plan: dict[str, Any]) -> list[str]:
    """COMP3: the plan that the board draws."""
    times = (plan[f"{name}_ms"] for name in ("plan", "another_choice", "apply", "single_pass"))
    before, after = plan["estimate_before_tokens"], plan["estimate_after_tokens"]
    return [
        f"## COMP3: planning the compaction of {plan['messages']:,} messages",
        "",
        f"{plan['blocks']:,} tool results and thoughts with {plan['characters']:,} characters, {plan['changed']:,} of",
        f"them shortened, {plan['in_stage_2']:,} in the second stage: {before:,} → {after:,} tokens of the estimate.",
        "Medians of processor time. Bound: 100 ms for the plan. The baseline is the documents' single pass, which",
        "looks at sizes and at what tools declare only.",
        "",
        "| plan | after another choice | apply | single pass |",
        "|---:|---:|---:|---:|",
        f"| {' | '.join(f'{time_ms} ms' for time_ms in times)} |",
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
