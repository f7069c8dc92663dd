"""Providers: everything between a ``MessageRequest`` and the network.

A wire format (``wire/``) is pure: it renders requests, decodes frames and classifies errors, and knows no other format.
``http`` runs one over HTTP; an OpenAI-compatible endpoint is one row in ``resources/providers/``; only ``registry``
names wire formats. May import ``core.trace``, ``core.settings``, ``core.ir`` and below.
"""
