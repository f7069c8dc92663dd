"""The context gauge of a conversation (CHAT12): ``gauge`` follows it, ``button`` is in its header, ``popup`` explains.

The figures are ``core.cycle.context_ledger``'s; a new kind of part is a field of ``core.cycle.gauge.Parts``, a name in
``words`` and a look in ``stacked_bar``.
"""
