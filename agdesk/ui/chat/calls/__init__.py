"""The calls of a model in a conversation: ``stories`` knows what became of each, ``drawing`` keeps the cards in the
transcript up to date, ``control`` puts those that wait for the user before him.
"""
