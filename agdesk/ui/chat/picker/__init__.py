"""Which model a conversation asks: the button in its header, and the panel with every known model that it opens.

``button`` and ``abilities`` are painted with the window; ``popup`` is imported when it is first opened: ``items`` says
what stands in its list, ``item_list`` and ``item_delegate`` show it.
"""
