"""How the process gives memory back to the system."""

from __future__ import annotations

import contextlib
import sys

_M_MMAP_THRESHOLD = -3  # of malloc.h
_LARGE_BLOCK_BYTES = 128 * 1024


def give_back_large_blocks() -> None:
    """Makes every block of 128 KB and more go back when it is freed.

    glibc raises that limit to the size of whatever was freed last. Long requests, each rendered on another thread, then
    leave holes of many megabytes in the heap of each. Other allocators have no such knob, and need none.
    """
    if sys.platform == "linux":
        import ctypes  # 10 ms: not before the first paint

        with contextlib.suppress(AttributeError, OSError):
            ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, _LARGE_BLOCK_BYTES)


def give_back_free_memory() -> None:
    """Gives back what is free in the heaps of all threads: after much was read. Takes a millisecond."""
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(AttributeError, OSError):
            ctypes.CDLL(None).malloc_trim(0)
