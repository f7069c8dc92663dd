# Everything is done by dev.py; arguments for it: make run ARGS="--data-dir D", make test ARGS="-k name".
PYTHON ?= python3

.PHONY: setup run test check bench screenshots translations package fuzz soak
setup run test check bench screenshots translations package fuzz soak:
	@$(PYTHON) dev.py $@ $(ARGS)
