"""Draws the scenes: the pictures of each scale in a process of their own."""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from pathlib import Path

from tools.screenshots.drawing import draw
from tools.screenshots.screens import SCREENS

OUTPUT = Path(__file__).resolve().parents[2] / "build" / "screenshots"


def main(arguments: list[str]) -> int:
    """Draws the scenes whose names contain one of the words, or all; 1 if there is none or one failed."""
    parser = argparse.ArgumentParser(prog="screenshots", description="Draws every view in every state.")
    names = [screen.name for screen in SCREENS]
    parser.add_argument("part", nargs="*", help="of the names of scenes; without one: all")
    parser.add_argument("--screen", action="append", choices=names, help="draw the scenes on this one only")
    options = parser.parse_args(arguments)
    screens = [screen for screen in SCREENS if options.screen is None or screen.name in options.screen]
    failed = 0
    for scale in sorted({screen.scale for screen in screens}):
        these = [screen for screen in screens if screen.scale == scale]
        drawing = multiprocessing.get_context("spawn").Process(
            target=draw, args=(options.part, these, options.screen is not None, OUTPUT)
        )
        drawing.start()
        drawing.join()
        failed |= drawing.exitcode != 0
        if failed and scale == 1.0:
            break  # there is no such scene, or it will not work at another scale either
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
