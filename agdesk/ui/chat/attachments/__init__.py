"""What goes with a message beside its text (CHAT7).

``box`` is what a conversation uses: it takes files in, keeps them with the draft and says what the model cannot take.
``tray`` shows them above the composer, ``pictures`` decodes thumbnails on threads, ``preview`` shows one enlarged,
``words`` says what they are, ``sent`` finds the images that models send. Loaded when something is attached or shown.
"""
