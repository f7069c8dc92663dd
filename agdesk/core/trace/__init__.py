"""The trace: one ordered stream of ``TraceRecord`` of all that happened, the same for painting, storing and replaying.

``wire`` holds what went over HTTP, ``events`` what the cycle did, ``recorder`` numbers and hands out the records,
``redact`` removes secrets before anything is recorded, ``transport`` records the HTTP side. May import ``core.ir`` and
below. To add a record: one frozen dataclass in ``events`` or ``wire`` and its name in that module's union.
"""
