"""What works on the repository and is no part of the program.

``display`` belongs to dev.py (standard library only, readable for older Pythons); ``screenshots`` draws every view.
"""
