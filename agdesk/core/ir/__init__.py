"""The intermediate representation: frozen values for requests, messages, responses and stream events.

No I/O, no clock, no randomness. May import ``core.errors`` only. To add a block or an event: one class in ``blocks``
or ``stream``, its name in the union below it, one branch in ``partial``; the JSON codec finds it by itself.
"""
