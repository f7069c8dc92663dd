"""Bytes that no server would send, made up by a fuzzer that watches which lines they reach: ``make fuzz``.

``python -m tools.fuzz [SECONDS [FORMAT]...]`` runs ``target`` for each wire format in a process of its own, since a
finding ends the process. What is found is kept in ``build/fuzz``; ``python -m tools.fuzz.target FORMAT FILE`` plays it
again.
"""
