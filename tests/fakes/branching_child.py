"""A process that branches a conversation at random until it is killed; run as a script with a folder and a seed.

Prints one JSON line per thing: ``doing`` before a change, with the path that it goes on from, and ``done`` after it,
when ``settled`` has returned, with the whole tree.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from agdesk.core.cycle import AgentSession
from agdesk.core.ir.tree import ConversationTree
from agdesk.core.providers.scripted import Pause, Step, text_answer
from tests.fakes.workspace import scripted_workspace

SESSION_ID = "branched"


def say(**values: object) -> None:
    os.write(1, json.dumps(values).encode() + b"\n")  # at once and whole, whatever happens next


def script(number: int) -> tuple[Step, ...]:
    steps: list[Step] = []
    for step in text_answer(*(f"word{number}.{i} " for i in range(10))):
        steps += (step, Pause(0.001))
    return tuple(steps)


def all_nodes(tree: ConversationTree) -> dict[str, list[str | None]]:
    """Parent and text of everything that is not deleted."""
    found: dict[str, list[str | None]] = {}
    waiting: list[str | None] = [None]
    while waiting:
        for node in tree.children(waiting.pop()):
            found[node.id] = [node.parent_id, node.head]
            waiting.append(node.id)
    return found


async def change(session: AgentSession, chance: random.Random, number: int) -> None:
    tree = session.branches.tree
    alive = list(all_nodes(tree))
    action = chance.choice(("submit", "edit", "edit", "again", "select", "select", "delete")) if alive else "submit"
    target = chance.choice(alive) if alive else ""
    to_target = [node.id for node in tree.path_to(target)] if target else []
    if action == "submit":
        say(doing=action, kept=[node.id for node in tree.path()])
        await session.submit(f"question {number}")
    elif action == "edit":
        is_asked = tree.node(target).role == "user"
        say(doing=action if is_asked else "write", kept=to_target[:-1])
        await session.edit(target, f"edited {number}")
    elif action == "again":
        while tree.node(to_target[-1]).role != "user":
            to_target.pop()
            if not to_target:
                return
        say(doing=action, kept=to_target)
        await session.regenerate(target)
    elif action == "select":
        say(doing=action, target=target)
        await session.select(target)
    else:
        say(doing=action, target=target)
        await session.delete(target)


async def play(folder: Path, seed: int) -> None:
    workspace, _ = scripted_workspace(folder, *(script(number) for number in range(2_000)))
    session = workspace.open_session(session_id=SESSION_ID)
    chance = random.Random(seed)
    for number in range(2_000):
        await change(session, chance, number)
        await workspace.store.settled()
        tree = session.branches.tree
        say(done=number, path=[node.id for node in tree.path()], nodes=all_nodes(tree))


asyncio.run(play(Path(sys.argv[1]), int(sys.argv[2])))
