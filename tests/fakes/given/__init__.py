"""Answers as providers give them: the blocks of each wire format, seals and all, and the streams that say them.

One module for each format. Its ``ANSWERS`` makes a block of each kind from a number that nothing else in the test has;
its ``stream`` writes blocks as the bytes of a response; its ``issue`` tells a strict checker what was given out.
``formats`` names them.
"""
