"""Brings the catalogues of ``resources/translations`` up to date: ``python3 dev.py translations`` (see docs/)."""
