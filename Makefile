# Every target first creates or updates .venv. Without make (on Windows), use pip: see docs/install.md.
#   make lab FOLDER=elsewhere        use a different folder (default: my-course)
#   make lab ARGS="--port 8890"      pass on options; ARGS=--help lists them
#   make progress ARGS=02            list the exercises of lesson 02; without ARGS, show how far you have got
#   make path ARGS=ideas             choose this path through the course; without ARGS, show them all
#   make test LESSON=04              run only the tests about this lesson or stage
#   make test-all SEED=123           repeat the samples of an earlier run
#   make new-lesson N=23 NAME=x_y    start lesson 23 from a small one that is complete
#   make notebooks LESSONS="02 05"   run only these lessons; text, links and sheets are rebuilt everywhere
#   make models MODELS=translator    train only this model
#   make site SITE=elsewhere         write the website there (default: build/site)
#   make book                        print the site as PDF files into build/book (needs Chromium)
#   make bench BENCH=decoding        run only this benchmark

FOLDER ?= my-course
ARGS ?=
LESSON ?=
SEED ?=
LESSONS ?=
# Not from the environment, where Windows' Linux has the computer's NAME.
N =
NAME =
MODELS ?=
SITE ?= build/site
BENCH ?=
export PYTHON
BIN := .venv/bin
# One process for each CPU (see conftest.py), with one thread each, so that they do not slow each other down. Every kernel starts
# anew, so bytecode is kept, as Python does unless it is told otherwise.
PYTEST := PYTHONDONTWRITEBYTECODE= OMP_NUM_THREADS=1 $(BIN)/pytest -n auto

.PHONY: lab progress path test test-all lint-texts snapshots new-lesson notebooks paper models bench site book

lab: .venv/ready
	@$(BIN)/transformer-course lab "$(FOLDER)" $(ARGS)

progress: .venv/ready
	@$(BIN)/transformer-course progress --folder "$(FOLDER)" $(ARGS)

path: .venv/ready
	@$(BIN)/transformer-course path --folder "$(FOLDER)" $(ARGS)

test: .venv/ready-test lint-texts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
ifneq ($(LESSON),)
	rm -rf build/solved && $(BIN)/transformer-course release --nbgrader build/solved >/dev/null
	$(PYTEST) --dist loadfile --lesson $(LESSON) --nbval notebooks build/solved tests/authoring tests/course tests/exercises \
		tests/docs/test_glossary.py tests/workshop/test_slides.py
else
	$(PYTEST) --dist loadfile --no-loadscope-reorder --nbval -m "not slow" notebooks tests
endif

# What `make test` leaves out. Samples are drawn by the seed, which differs from run to run.
test-all: export TRANSFORMER_COURSE_SEED := $(or $(SEED),$(shell date +%s))
test-all: export CI := true
test-all: .venv/ready-test
	@sh tools/test_needs.sh
	rm -rf build/solved && $(BIN)/transformer-course release --nbgrader build/solved >/dev/null
	$(PYTEST) --dist loadfile --no-loadscope-reorder --nbval -m "slow and not alone" exercises/GPT2*.ipynb build/solved tests
	$(PYTEST) -n 2 --dist load -m alone tests/grading

lint-texts: .venv/ready-test
	$(BIN)/python tools/lint_texts.py $(LESSON)

snapshots: .venv/ready-test
	$(PYTEST) --dist loadfile -m syrupy_snapshot --snapshot-update tests

new-lesson: .venv/ready-test
	@$(BIN)/python tools/new_lesson.py "$(N)" "$(NAME)"

notebooks: .venv/ready-test
	$(BIN)/python -m transformer_course.authoring $(LESSONS)

paper: .venv/ready-test
	$(BIN)/python tools/print_paper.py

models: .venv/ready
	$(BIN)/python -m transformer_course.models $(MODELS)

bench: .venv/ready-bench
	$(BIN)/python -m benchmarks $(BENCH)

site: .venv/ready-site
	@$(BIN)/transformer-course site "$(SITE)"

book: .venv/ready-test site
	@$(BIN)/python -m transformer_course.site.book "$(SITE)" build/book

.venv/ready: pyproject.toml constraints.txt
	@sh tools/venv.sh . $@

.venv/ready-test: pyproject.toml constraints.txt
	@sh tools/venv.sh ".[test]" $@ && touch .venv/ready

.venv/ready-site: pyproject.toml constraints.txt
	@sh tools/venv.sh ".[site]" $@ && touch .venv/ready

.venv/ready-bench: pyproject.toml constraints.txt
	@sh tools/venv.sh ".[bench]" $@ && touch .venv/ready
