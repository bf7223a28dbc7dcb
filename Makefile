# One door: `make` lists what there is. Every target makes its own environment first (.ci/prepare).
.DEFAULT_GOAL := help
.SUFFIXES:

PYTEST_ARGS ?=
BENCH_ARGS ?=
UP_ARGS ?=
DEMO_ARGS ?=
CLOCKS_ARGS ?=
UPGRADE_ARGS ?=
DEPENDENCIES_ARGS ?=
AUDIT_ARGS ?=
HOSTILE_ARGS ?=
LEAKS_ARGS ?=
FAILOVER_ARGS ?=
FAULTS_ARGS ?=
SCHEMATHESIS_ARGS ?= --phases examples,coverage,fuzzing,stateful --max-examples 100
FAULT_ROUNDS ?= 10
FUZZ_MATCHES ?= 300
FUZZ_TESTS ?=
REPLAY_MATCHES ?= 100
REPLAY_MOVES ?= 60

DESCRIPTORS := proto/gen/foldtable/descriptors.binpb
# The gRPC contracts of the last release: what they promise, `make check` holds the next ones to.
RELEASED := docs/api/descriptors.binpb

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1:/p' Makefile | while IFS=: read -r name what; do printf '  make %-13s %s\n' "$$name" "$$what"; done

.PHONY: prepare
prepare: ## make or update .venv and the stubs (the other targets do this by themselves)
	@.ci/prepare

.PHONY: run
run: prepare ## start everything: Postgres, rules server, platform service, gateway; prints an address, a key and a first curl (UP_ARGS=…)
	@.venv/bin/foldtable up $(UP_ARGS)

.PHONY: demo
demo: prepare ## play a whole match of every game over REST, follow it, replay it, verify its dice (DEMO_ARGS=…)
	@.venv/bin/foldtable demo $(DEMO_ARGS)

.PHONY: test
test: prepare ## run everything that must be green, in three parts at once (PYTEST_ARGS=…: only these)
	@.venv/bin/python .ci/test.py $(PYTEST_ARGS)

.PHONY: test-fast
test-fast: prepare ## run the tests that need no whole processes and no long random matches
	.venv/bin/pytest -m "not slow and not conformance" $(PYTEST_ARGS)

# npm writes this file last, when it has installed what the lock asks for.
NPM_PACKAGES := tests/conformance/node_modules/.package-lock.json
$(NPM_PACKAGES): tests/conformance/package-lock.json
	cd tests/conformance && npm ci
	@touch $@

.PHONY: conformance
conformance: prepare ## clients and judges that others wrote against everything: schemathesis, and the JavaScript world (needs node; PYTEST_ARGS=…)
	@if command -v npm >/dev/null; then $(MAKE) --silent $(NPM_PACKAGES); fi
	.venv/bin/pytest tests/conformance $(PYTEST_ARGS)

.PHONY: schemathesis
schemathesis: prepare ## schemathesis with many more requests than make conformance; a quarter of an hour (SCHEMATHESIS_ARGS=…)
	FOLDTABLE_SCHEMATHESIS="$(SCHEMATHESIS_ARGS)" .venv/bin/pytest tests/conformance/test_schemathesis.py --timeout 0 -s $(PYTEST_ARGS)

.PHONY: check
check: prepare ## formatting, lint, types, contracts; seconds
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/mypy
	.venv/bin/buf lint $(DESCRIPTORS) --config proto/buf.yaml
	@if [ -f $(RELEASED) ]; then .venv/bin/buf breaking $(DESCRIPTORS) --config proto/buf.yaml --against $(RELEASED); fi

.PHONY: format
format: prepare ## format the code and mend what lint can mend
	.venv/bin/ruff format .
	.venv/bin/ruff check --fix .

.PHONY: proto
proto: ## build the stubs and the descriptor set anew
	@rm -f proto/gen/.made-from
	@.ci/prepare

.PHONY: release-baseline
release-baseline: prepare ## keep the contracts as those of a release; from then on check and test refuse to break them
	.venv/bin/python -m tests.support.openapi_baseline docs/api/openapi.json
	.venv/bin/buf build $(DESCRIPTORS) --exclude-source-info --output $(RELEASED)

.PHONY: fuzz
fuzz: prepare ## the property tests with more random matches each (FUZZ_MATCHES=…, FUZZ_TESTS=a folder)
	FOLDTABLE_FUZZ_MATCHES=$(FUZZ_MATCHES) .venv/bin/pytest -m hypothesis --timeout 0 $(FUZZ_TESTS) $(PYTEST_ARGS)

.PHONY: golden
golden: prepare ## write the transcripts and the hashes of views of golden matches anew, to be reviewed as a diff (stored logs never change)
	.venv/bin/python -m tests.golden.records
	.venv/bin/python -m tests.golden.pins
	.venv/bin/python -m tests.golden.river_dragons.write_log islands-2 --players 2 --number 40 --transcript
	.venv/bin/python -m tests.golden.al_rashid.write_log players-2 --players 2 --number 40 --transcript
	.venv/bin/python -m tests.golden.river_of_gold.write_log players-2 --players 2 --patrons draft --number 40 --transcript
	.venv/bin/python -m tests.golden.views

.PHONY: faults
faults: prepare ## kill, freeze, cut off and fill up everything under running matches, for 20 minutes, and prove that nothing is lost (FAULTS_ARGS=--help)
	@.venv/bin/python -m tests.faults.run $(FAULTS_ARGS)

.PHONY: failover
failover: prepare ## kill the primary of two Postgres under running matches, a dozen times, and prove that nothing is lost (FAILOVER_ARGS=--help)
	@.venv/bin/python -m tests.faults.failover $(FAILOVER_ARGS)

.PHONY: leaks
leaks: prepare ## pairs of random matches that somebody cannot tell apart: all he is told is the same; then planted leaks are found (LEAKS_ARGS=…)
	@.venv/bin/python -m tests.leaks $(LEAKS_ARGS)

.PHONY: replay-check
replay-check: prepare ## every view at every version of many random matches is the one that was live then (REPLAY_MATCHES=…, REPLAY_MOVES=…)
	FOLDTABLE_REPLAY_MATCHES=$(REPLAY_MATCHES) FOLDTABLE_REPLAY_MOVES=$(REPLAY_MOVES) \
		.venv/bin/pytest tests/e2e/test_then_and_now.py --timeout 0 $(PYTEST_ARGS)

.PHONY: audit
audit: prepare ## every proof that needs no faults: luck, integrity and the others of docs/trust.md; six minutes (AUDIT_ARGS=--short: one)
	@.venv/bin/python -m tests.audit $(AUDIT_ARGS)

.PHONY: hostile
hostile: prepare ## every decoder fuzzed, every route and RPC asked nonsense, a house besieged while others play; 6 minutes (HOSTILE_ARGS=…)
	@.venv/bin/python -m pip install -qq --disable-pip-version-check --constraint constraints.txt --no-build-isolation --editable '.[fuzz]' \
		|| echo "atheris cannot be installed here: decoders are fuzzed by chance alone"
	@.venv/bin/python -m tests.hostile $(HOSTILE_ARGS)

.PHONY: clocks
clocks: prepare ## 1,000 matches with clocks of a second, half the players gone, two sweepers (CLOCKS_ARGS=…)
	@.venv/bin/python -m tests.clocks.absent_players $(CLOCKS_ARGS)

.PHONY: upgrade-check
upgrade-check: prepare ## update a running house from the release before, with matches under way; minutes (UPGRADE_ARGS=--from 0004)
	@.venv/bin/python -m tests.upgrades $(UPGRADE_ARGS)

.PHONY: dependencies
dependencies: prepare ## versions, licences, secrets in files and history (DEPENDENCIES_ARGS=--advisories asks for known holes)
	@.venv/bin/python -m tests.dependencies $(DEPENDENCIES_ARGS)

.PHONY: bench-engine
bench-engine: prepare ## playout moves per second, per game and variant (BENCH_ARGS=…)
	@.venv/bin/python tests/bench/bench_engine.py $(BENCH_ARGS)

.PHONY: arena
arena: prepare ## bots against each other: greedy beats random, search beats greedy, in every game; minutes (BENCH_ARGS=…)
	@.venv/bin/python tests/bench/bench_bots.py $(BENCH_ARGS)

.PHONY: bench-rest
bench-rest: prepare ## durable moves per second over REST, beside bare INSERT … COMMIT (BENCH_ARGS=…)
	@.venv/bin/python tests/bench/bench_rest.py $(BENCH_ARGS)

.PHONY: bench-streams
bench-streams: prepare ## memory of an idle event stream, and how long a move takes to reach all of them (BENCH_ARGS=…)
	@.venv/bin/python tests/bench/bench_streams.py $(BENCH_ARGS)

.PHONY: bench-log
bench-log: prepare ## appends per second of the move log alone (BENCH_ARGS=…)
	@.venv/bin/python tests/bench/bench_log.py $(BENCH_ARGS)

.PHONY: bench-replay
bench-replay: prepare ## views at random versions of long matches, and whole replays, with and without snapshots (BENCH_ARGS=…)
	@.venv/bin/python tests/bench/bench_replay.py $(BENCH_ARGS)

.PHONY: bench-limits
bench-limits: prepare ## what authentication and rate limits cost a request
	@.venv/bin/python tests/bench/bench_admission.py

.PHONY: bench-research
bench-research: prepare ## steps per second of the environments for research, beside the engine alone (BENCH_ARGS=…)
	@.venv/bin/python tests/bench/bench_research.py $(BENCH_ARGS)

.PHONY: docs
docs: prepare ## write what is made from the code (docs/errors.md, docs/licences.md, the Python client's types, vectors of draws)
	@.venv/bin/python -m tests.docs.error_catalogue
	@.venv/bin/python -m tests.docs.client_types
	@.venv/bin/python -m tests.docs.draw_vectors
	@.venv/bin/python -m tests.dependencies.licences

.PHONY: lock
lock: ## write constraints.txt anew from pyproject.toml (LOCK_ARGS=--upgrade for newer versions)
	@.ci/prepare
	.venv/bin/python -m venv --clear build/lock
	build/lock/bin/python -m pip install --quiet --disable-pip-version-check uv
	build/lock/bin/uv pip compile --quiet --universal --no-annotate --no-header --python-version 3.11 --all-extras \
		$(LOCK_ARGS) --output-file constraints.txt pyproject.toml

.PHONY: clean
clean: ## remove what was built: .venv, stubs, caches (matches in .foldtable stay)
	rm -rf .venv proto/gen build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
