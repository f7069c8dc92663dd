"""Streams of every format with a few changes each: the checks of the fuzzer on a fixed set of bodies (PROV3, T12, T25).

``make fuzz`` runs the same checks on bodies that it finds by itself.
"""

import random

import pytest

from tests.contract.dialects.writers import WRITERS
from tools.fuzz.checks import Checks
from tools.fuzz.mutation import mutate
from tools.fuzz.seeds import inputs

BODY_COUNT = 300
MOST_CHANGES = 4


@pytest.mark.parametrize("wire", WRITERS)
def test_what_servers_write_passes_the_checks(wire):
    check = Checks(wire)
    for each in inputs(WRITERS[wire]):
        check(each)


@pytest.mark.parametrize("wire", WRITERS)
def test_changed_frames_and_values_pass_the_checks(wire):
    rng = random.Random(wire)
    seeds = inputs(WRITERS[wire])
    check = Checks(wire)
    for _ in range(BODY_COUNT):
        start = rng.choice(seeds)
        how, body = start[:1], start[1:]
        for _ in range(rng.randint(1, MOST_CHANGES)):
            body = mutate(body, rng)
        try:
            check(how + body)
        except Exception as error:
            error.add_note(f"{wire}: {how + body!r}")
            raise


def test_a_change_is_the_same_for_the_same_chance():
    body = inputs(WRITERS["anthropic"])[0][1:]
    changed = [mutate(body, random.Random(number)) for number in range(40)]
    assert changed == [mutate(body, random.Random(number)) for number in range(40)]
    assert len(set(changed)) > 20
