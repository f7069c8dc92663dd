"""The Qt modules that the program imports: what agdesk.spec packs. tests/arch/test_package.py compares it."""

QT_MODULES = ("QtCore", "QtGui", "QtNetwork", "QtTest", "QtWidgets")
