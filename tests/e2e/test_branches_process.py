"""CHAT4: ``kill -9`` at any moment keeps every branch; the active path is that before or that after the last change."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from agdesk.core.ir.tree import ConversationTree
from tests.fakes.storing import open_store

CHILD = Path(__file__).resolve().parents[1] / "fakes" / "branching_child.py"
MOMENTS = 14


def killed_run(folder: Path, *, seed: int, after_lines: int, and_s: float) -> list[dict[str, Any]]:
    """Lets the child play until it has said so much, and kills it ``and_s`` later; all that it had said."""
    child = subprocess.Popen([sys.executable, str(CHILD), str(folder), str(seed)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    with child.stdout:
        lines = [child.stdout.readline() for _ in range(after_lines)]
        time.sleep(and_s)
        child.kill()
        lines += child.stdout.readlines()
    child.wait()
    return [json.loads(line) for line in lines if line.endswith(b"\n")]


def is_right(path: list[str], before: dict[str, Any], doing: dict[str, Any] | None) -> bool:
    """Whether a path is the one that was said last, or what the change that was being made leads to."""
    if path == before["path"]:
        return True
    match doing:
        case {"doing": "select", "target": target}:
            return target in path
        case {"doing": "delete", "target": target}:
            return target not in path and all(one in before["nodes"] for one in path)
        case {"doing": action, "kept": kept}:
            new = path[len(kept) :]
            fewest = 1 if action in ("submit", "edit") else 0  # never the way without the message that it leads to
            return path[: len(kept)] == kept and fewest <= len(new) <= 2 and not set(new) & before["nodes"].keys()
    return False


def way_up(message_id: str | None, nodes: dict[str, Any]) -> list[str]:
    found = []
    while message_id is not None:
        found.append(message_id)
        message_id = nodes[message_id][0]
    return found


def check(tree: ConversationTree, before: dict[str, Any], doing: dict[str, Any] | None) -> None:
    """Compares what is stored with what the child had said."""
    for message_id, (parent_id, text) in before["nodes"].items():
        if message_id in tree:
            assert (tree.node(message_id).parent_id, tree.node(message_id).head) == (parent_id, text)
        else:
            assert doing is not None
            assert doing["doing"] == "delete"
            assert doing["target"] in way_up(message_id, before["nodes"])
    path = [node.id for node in tree.path()]
    assert is_right(path, before, doing), (path, before["path"], doing)


@pytest.mark.timeout(180)
def test_a_kill_at_any_moment_keeps_every_branch_and_the_active_path(tmp_path: Path) -> None:
    moments = random.Random(20_261_201)
    cut_count = branch_count = 0
    for number in range(MOMENTS):
        folder = tmp_path / str(number)
        folder.mkdir()
        wait_s = moments.uniform(0, 0.05)
        said = killed_run(folder, seed=number, after_lines=moments.randrange(2, 60), and_s=wait_s)
        done = [line for line in said if "done" in line]
        doing = said[-1] if "doing" in said[-1] else None
        store = open_store(folder)
        is_listed = store.conversations.get("branched") is not None
        tree = store.load("branched").tree if is_listed else ConversationTree()
        asyncio.run(store.aclose())
        check(tree, done[-1] if done else {"path": [], "nodes": {}}, doing)
        cut_count += doing is not None
        branch_count += bool(done) and len(done[-1]["nodes"]) > len(done[-1]["path"])
    assert cut_count  # else no moment was in the middle of a change
    assert branch_count
