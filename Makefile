# Every target makes .venv on first use. Without make (Windows): the same in plain pip, see docs/install.md.
#   make lab FOLDER=elsewhere        your own folder (default: my-course)
#   make lab ARGS="--port 8890"      what else `transformer-course lab --help` offers
#   make progress ARGS=02            the exercises of lesson 02; without ARGS, how far you are
#   make notebooks LESSONS="02 05"   rebuild these only
#   make models MODELS=translator    train these only; make bench BENCH=decoding measures these only

FOLDER ?= my-course
ARGS ?=
LESSONS ?=
MODELS ?=
BENCH ?=
export PYTHON
BIN := .venv/bin
# Two processes, of one thread each: with two each, on two processors, they would wait for one another.
IN_TWO := OMP_NUM_THREADS=1 $(BIN)/pytest -n 2

.PHONY: lab progress test test-fast notebooks paper models bench

lab: .venv/ready
	@$(BIN)/transformer-course lab "$(FOLDER)" $(ARGS)

progress: .venv/ready
	@$(BIN)/transformer-course progress $(ARGS)

test: .venv/ready-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(IN_TWO) --dist worksteal -m "not alone"
	$(BIN)/pytest -m alone
	$(IN_TWO) --dist loadfile --nbval notebooks
	$(BIN)/python -m transformer_course.authoring --solved build/solved
	$(IN_TWO) --dist loadfile --nbval-lax build/solved

test-fast: .venv/ready-test
	$(BIN)/ruff check .
	$(IN_TWO) --dist worksteal -m "not slow"

notebooks: .venv/ready-test
	$(BIN)/python -m transformer_course.authoring $(LESSONS)

paper: .venv/ready-test
	$(BIN)/python tools/print_paper.py

models: .venv/ready
	$(BIN)/python -m transformer_course.models $(MODELS)

bench: .venv/ready-bench
	$(BIN)/python -m benchmarks $(BENCH)

.venv/ready: pyproject.toml constraints.txt
	@sh tools/venv.sh . $@

.venv/ready-test: pyproject.toml constraints.txt
	@sh tools/venv.sh ".[test]" $@ && touch .venv/ready

.venv/ready-bench: pyproject.toml constraints.txt
	@sh tools/venv.sh ".[bench]" $@ && touch .venv/ready
