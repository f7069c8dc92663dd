"""Pictures of every view in every state: ``python -m tools.screenshots [--screen NAME]... [PART OF A NAME]...``.

Each scene is drawn on Qt's virtual screen, in light and in dark, 900 and 1,440 pixels wide, into
``build/screenshots/<view>-<state>-<theme>-<screen>.png``. Those that say ``is_on_every_screen`` are drawn on the other
screens too: 2,560 pixels wide, at 150 % and at 200 %, and with larger text. ``--screen 1440-at200`` (see ``screens``)
draws every scene on that one only. Two runs give the same pixels: answers come from scripts, time
stands still unless a script moves it, the fonts are DejaVu. Nothing leaves this machine.

A view is a module with a tuple ``SCENES``, listed in ``scenes``; a state is one ``Scene`` with an async function that
prepares a ``Stage`` and returns the widget to be drawn.
"""
