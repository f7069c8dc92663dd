"""``python -m benchmarks.soak [MINUTES]``: the window under PERF2's load for ten minutes; memory has to stay flat.

Flat: what the window holds at the end of the second half is at most a tenth above what it held at the half, beyond the
text itself that was streamed meanwhile.
"""

from __future__ import annotations

import json
import sys

from benchmarks import window_streams

MINUTES = 10.0
GROWTH = 1.1
BYTES_PER_EVENT = 40  # a piece of text of about five characters, in the transcript and in the history


def main(arguments: list[str]) -> int:
    """Prints the figures; 1 if the memory grew."""
    minutes = float(arguments[0]) if arguments else MINUTES
    figures = window_streams.measure(minutes * 60)
    print(json.dumps(figures, indent=2))
    memory_mb = figures["memory_mb"]
    half_mb, end_mb = memory_mb[len(memory_mb) // 2], memory_mb[-1]
    text_mb = figures["events"] / 2 * BYTES_PER_EVENT / 1e6
    is_flat = end_mb <= half_mb * GROWTH + text_mb
    print(f"memory {'is flat' if is_flat else 'GREW'}: {half_mb} MB at the half, {end_mb} MB at the end")
    return 0 if is_flat else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
