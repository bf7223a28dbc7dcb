# `make` lists the targets by purpose. Every target makes its own environment first (.ci/prepare).
# ARGS=… goes to the program behind a target; ARGS=--help makes most of them explain themselves.
.DEFAULT_GOAL := help
.SUFFIXES:

# Release 0.1.0 had a name of its own for run, demo and test; those still work.
ARGS ?= $(or $(UP_ARGS),$(DEMO_ARGS),$(PYTEST_ARGS))

# A system is several processes: without compiled modules on disk each of them would compile all of ours when it starts.
unexport PYTHONDONTWRITEBYTECODE

# The template of new games has settings of its own, and ruff would keep a cache beside them, where the package is built from.
export RUFF_CACHE_DIR := $(CURDIR)/.ruff_cache

# Which tests go to one worker, and how many workers there are: tests/support/workers.py.
IN_PARALLEL := --numprocesses auto --dist loadscope --no-loadscope-reorder

DESCRIPTORS := proto/gen/foldtable/descriptors.binpb
# The gRPC contracts of the last release: `make check` refuses to break them.
RELEASED := docs/api/descriptors.binpb

help:
	@awk '/^## / { print (sections++ ? "\n" : "") substr($$0, 4) } \
		/^[a-z-]+:.* ## / { what = $$0; sub(/.* ## /, "", what); sub(/:.*/, ""); printf "  make %-17s %s\n", $$0, what }' Makefile

.PHONY: help prepare-run prepare-dev
prepare-run prepare-dev:
	@.ci/prepare $(@:prepare-%=%)

## Run it

.PHONY: run
run: prepare-run ## start the whole system; prints an address, a key and a first curl
	@.venv/bin/foldtable up $(ARGS)

.PHONY: demo
demo: prepare-run ## play a whole match of every game over REST, stream it, replay it, verify its dice
	@.venv/bin/foldtable demo $(ARGS)

## Develop

.PHONY: prepare
prepare: ## make or update .venv with everything, and the stubs
	@.ci/prepare

.PHONY: format
format: prepare-dev ## format the code and apply the fixes that lint knows
	.venv/bin/ruff format .
	.venv/bin/ruff check --fix .

.PHONY: proto
proto: ## write the games' contracts from their Python types, and rebuild the stubs and the descriptor set
	@rm -f proto/gen/.made-from
	@.ci/prepare dev
	@.venv/bin/python proto/write_contracts.py
	@.ci/prepare dev

.PHONY: compiled
compiled: prepare-dev ## compile the hot modules in place with mypyc (needs a C compiler; two minutes); after a change of them again
	@.venv/bin/python .ci/compile_modules.py

.PHONY: pure
pure: ## remove what `make compiled` made, so that the sources run again
	@$(or $(wildcard .venv/bin/python),python3) .ci/compile_modules.py --remove

.PHONY: docs
docs: prepare ## rewrite what is generated from the code: errors, paragraphs of the rules, the tables of imports and of the tests of promises, licences, the Python client's types, draw vectors, the schema of exports
	@.venv/bin/python -m tests.docs.error_catalogue
	@.venv/bin/python -m tests.docs.paragraphs
	@.venv/bin/python -m tests.docs.who_imports_whom
	@.venv/bin/python -m tests.docs.tests_of_promises
	@.venv/bin/python -m tests.docs.client_types
	@.venv/bin/python -m tests.docs.draw_vectors
	@.venv/bin/python -m tests.docs.export_schema
	@.venv/bin/python -m tests.proofs.dependencies.licences

.PHONY: golden
golden: prepare-dev ## rewrite the transcripts, in every language, and view hashes of golden matches, to be reviewed as a diff (stored logs never change)
	.venv/bin/python -m tests.golden.records
	.venv/bin/python -m tests.golden.pins
	.venv/bin/python -m tests.golden.transcripts
	.venv/bin/python -m tests.golden.views

.PHONY: web
web: ## build the front end that the gateway serves from gateway/web/src (needs node); the built files are committed
	@$(MAKE) --silent $(WEB_PACKAGES)
	cd gateway/web && npm run --silent build

.PHONY: pictures
pictures: prepare-dev ## take the pictures of the README again, in Chromium (needs node)
	@.venv/bin/python -m tests.docs.pictures $(ARGS)

.PHONY: clean
clean: ## remove what was built: .venv, stubs, caches (matches in .foldtable stay)
	rm -rf .venv proto/gen build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

## Check

.PHONY: check
check: prepare ## formatting, lint, types, contracts; seconds
	@$(MAKE) --no-print-directory --jobs 2 check-types check-code check-imports check-contracts

.PHONY: check-code check-types check-imports check-contracts
check-code:
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .

check-types:
	.venv/bin/mypy

check-imports: # tests too can be imported
	@mkdir -p build
	@.venv/bin/pytest --collect-only -qqq > build/collected.txt || { cat build/collected.txt; exit 1; }

check-contracts:
	.venv/bin/buf lint $(DESCRIPTORS) --config proto/buf.yaml
	@if [ -f $(RELEASED) ]; then .venv/bin/buf breaking $(DESCRIPTORS) --config proto/buf.yaml --against $(RELEASED); fi

.PHONY: test
test: prepare ## run everything that must pass, several modules at once (ARGS=…: only these tests)
	.venv/bin/pytest $(or $(ARGS),$(IN_PARALLEL) -m "not conformance")

.PHONY: test-fast
test-fast: prepare-dev ## run the tests that start no program of ours and play no long random matches
	.venv/bin/pytest -m "not slow and not conformance" $(ARGS)

# npm writes this file last, when it has installed what the lock asks for. The packages of tests/conformance are .ci/prepare's.
WEB_PACKAGES := gateway/web/node_modules/.package-lock.json
$(WEB_PACKAGES): gateway/web/package-lock.json
	cd gateway/web && npm ci
	@touch $@

.PHONY: conformance
conformance: prepare-dev ## run clients and checkers that others wrote: schemathesis, JavaScript and a browser (need node), Java, curl
	@if command -v npm >/dev/null; then $(MAKE) --silent $(WEB_PACKAGES); fi
	.venv/bin/pytest tests/conformance -rs $(or $(ARGS),$(IN_PARALLEL) --maxprocesses 2)

## Prove

.PHONY: prove
prove: $(if $(P),prove-$(P)) ## try to break a promise: make prove P=faults (make prove lists what there is)
	@$(if $(P),:,$(call choices,prove,P))

PROOFS := audit backup browser clocks compiled dependencies failover faults fuzz hostile leaks mutants patroni promises replay revocations schemathesis upgrades
.PHONY: $(PROOFS:%=prove-%)

prove-faults: prepare-dev #: kill, freeze, disconnect and exhaust every part under running matches; nothing is lost (20 minutes)
	@.venv/bin/python -m tests.proofs.faults.run $(ARGS)

prove-failover: prepare-dev #: kill the primary of two Postgres servers under running matches, a dozen times; nothing is lost
	@.venv/bin/python -m tests.proofs.faults.failover $(ARGS)

prove-patroni: prepare-dev #: harm three Postgres servers under Patroni, etcd and HAProxy while matches and clocks run; 6 minutes (needs the packages; ARGS="--harms 'leader killed'")
	@.venv/bin/python -m tests.proofs.patroni $(ARGS)

prove-leaks: prepare-dev #: pairs of matches one audience cannot distinguish give it the same bytes, also behind caches; planted leaks are found
	@.venv/bin/python -m tests.proofs.leaks $(ARGS)
	@$(if $(ARGS),:,.venv/bin/python -m tests.proofs.leaks.behind_caches)

prove-audit: prepare-dev #: every proof that injects no faults, then a table; 6 minutes (ARGS=--short: one)
	@.venv/bin/python -m tests.proofs.audit $(ARGS)

prove-backup: prepare-dev #: go back to a moment after rows were dropped, and after the data folder was deleted; clients that saw more are told (4 minutes)
	@.venv/bin/python -m tests.proofs.backup $(ARGS)

prove-hostile: prepare-dev #: fuzz every decoder, send nonsense to every route and RPC, attack a server others play on; 6 minutes
	@.venv/bin/python -m pip install -qq --disable-pip-version-check --constraint constraints.txt --no-build-isolation --editable '.[fuzz]' \
		|| echo "atheris cannot be installed here: decoders are fuzzed without guidance by coverage"
	@.venv/bin/python -m tests.proofs.hostile $(ARGS)

prove-clocks: prepare-dev #: 1,000 matches with half the players gone, all end; then nobody can move for longer than a clock gives (20 minutes)
	@.venv/bin/python -m tests.proofs.clocks.absent_players $(ARGS)
	@.venv/bin/python -m tests.proofs.clocks.downtime

prove-promises: prepare #: break each promise by small mistakes; the test that each names must fail; 10 minutes (ARGS="draws-": some)
	@.venv/bin/python -m tests.proofs.promises $(ARGS)

prove-mutants: prepare #: make small mistakes in the product, one at a time, and run the tests that should notice (ARGS="--area rules --sample 50")
	@.venv/bin/python -m tests.proofs.mutants $(ARGS)

prove-compiled: prepare-dev #: compile every module that can be, and play the same matches as the sources do; 5 minutes
	@.venv/bin/python -m tests.proofs.compiled $(ARGS)

prove-revocations: prepare #: revoke 1,000 tokens while they read and write at two servers (a quarter of an hour)
	@.venv/bin/python -m tests.proofs.revocations.race $(ARGS)

prove-upgrades: prepare-dev #: upgrade a running system from the previous release, with matches in progress (ARGS="--from 0004")
	@.venv/bin/python -m tests.proofs.upgrades $(ARGS)

prove-dependencies: prepare #: versions, licences, secrets in files and history (ARGS=--advisories: known vulnerabilities too)
	@.venv/bin/python -m tests.proofs.dependencies $(ARGS)

prove-replay: prepare-dev #: every view at every version equals the one that was live (FOLDTABLE_REPLAY_MATCHES, FOLDTABLE_REPLAY_MOVES)
	FOLDTABLE_REPLAY_MATCHES=$${FOLDTABLE_REPLAY_MATCHES:-100} FOLDTABLE_REPLAY_MOVES=$${FOLDTABLE_REPLAY_MOVES:-60} \
		.venv/bin/pytest tests/e2e/test_then_and_now.py --timeout 0 $(ARGS)

MORE_REQUESTS := --phases examples,coverage,fuzzing,stateful --max-examples 100
prove-schemathesis: prepare-dev #: schemathesis with many more requests than make conformance (a quarter of an hour)
	FOLDTABLE_SCHEMATHESIS="$(or $(ARGS),$(MORE_REQUESTS))" \
		.venv/bin/pytest tests/conformance/test_schemathesis.py --timeout 0 -s

prove-browser: prepare-dev #: every version of longer matches on the page in Chromium than make conformance looks at, and how much of what is lit takes the click at every decision (needs node)
	@$(MAKE) --silent $(WEB_PACKAGES)
	FOLDTABLE_BROWSER_LONG=1 .venv/bin/pytest tests/conformance/web/test_played_in_a_browser.py tests/conformance/web/test_clicking.py -rsP $(ARGS)

prove-fuzz: prepare-dev #: the property tests with more random matches each (FOLDTABLE_FUZZ_MATCHES; ARGS=tests/engine/al_rashid)
	FOLDTABLE_FUZZ_MATCHES=$${FOLDTABLE_FUZZ_MATCHES:-300} .venv/bin/pytest -m hypothesis --timeout 0 $(ARGS)

## Measure

.PHONY: bench
bench: $(if $(B),bench-$(B)) ## measure one thing: make bench B=rest (make bench lists what there is)
	@$(if $(B),:,$(call choices,bench,B))

BENCHES := admission audit batches bots bytes ending engine exports flat front_end grpc log operations plays replay research rest stream_bytes streams texts web webhooks
.PHONY: $(BENCHES:%=bench-%)
bench-research: prepare
$(filter-out bench-research,$(BENCHES:%=bench-%)): prepare-dev

bench-rest: #: durable moves per second over REST, beside bare INSERT … COMMIT
bench-grpc: #: durable moves per second over gRPC, streamed to the rules server, beside bare INSERT … COMMIT
bench-flat: #: what stays flat: the 1,000th move, 10^6 matches, 10,000 watched matches (20 minutes; ARGS=--short: one)
bench-log: #: appends per second of the move log alone
bench-engine: #: playout moves per second, per game and variant
bench-streams: #: memory of an idle event stream, and how long a move takes to reach all of them
bench-webhooks: #: how long a tenant's webhooks take while another tenant's endpoints hang
bench-plays: #: what a move costs the rules server, beside another checkout (ARGS="--code FOLDER")
bench-replay: #: views at random versions of long matches, and whole replays, with and without snapshots
bench-audit: #: rows per second of a core that an audit checks, beside another checkout (ARGS="--code FOLDER")
bench-admission: #: what authentication and rate limits cost a request
bench-operations: #: what FastAPI adds to a hot operation
bench-research: #: steps per second of the research environments, beside the engine alone
bench-batches: #: seconds for 500 new matches with one request and with 500, and how long others wait meanwhile
bench-bots: #: bots against each other: greedy beats random, search beats greedy, in every game
bench-bytes: #: bytes of replays, views and legal actions on the wire, as they are and compressed
bench-stream_bytes: #: bytes of a version on an event stream, as it is and compressed, and of a patch
bench-ending: #: how long a call of the published clients goes on after it was ended from outside, in everything it waits for
bench-exports: #: exporting many matches, Parquet files of them, and three questions to those
bench-front_end: #: what a page asks for per move and how many bytes that is, without and with tables
bench-web: #: the page in gateway/web: bytes of its files, a table after the click, a step of the replay
bench-texts: #: what words cost: events and legal actions with and without a language
$(BENCHES:%=bench-%):
	@.venv/bin/python tests/bench/bench_$(@:bench-%=%).py $(ARGS)

## Publish

.PHONY: lock
lock: prepare-dev ## rewrite constraints.txt from pyproject.toml (ARGS=--upgrade for newer versions)
	.venv/bin/python -m venv --clear build/lock
	build/lock/bin/python -m pip install --quiet --disable-pip-version-check uv
	build/lock/bin/uv pip compile --quiet --universal --no-annotate --no-header --python-version 3.11 --all-extras \
		$(ARGS) --output-file constraints.txt pyproject.toml

.PHONY: clients
clients: prepare-dev ## build the published clients into build/clients: a wheel and its source for Python, a package for npm (needs node)
	@.venv/bin/python -m tests.support.built_clients build/clients

.PHONY: release-baseline
release-baseline: prepare-dev ## store the contracts of a release; from then on check and test refuse to break them
	.venv/bin/python -m tests.support.openapi_baseline docs/api/openapi.json
	.venv/bin/buf build $(DESCRIPTORS) --exclude-source-info --output $(RELEASED)
	.venv/bin/python -m tests.support.interface_baseline

# What `make bench` and `make prove` print: one line for each bench-… or prove-… above.
choices = awk '/^$(1)-[a-z_]+:.* \#: / { what = $$0; sub(/.* \#: /, "", what); sub(/:.*/, ""); sub(/^$(1)-/, ""); \
	printf "  make $(1) $(2)=%-13s %s\n", $$0, what }' Makefile

bench-%:
	@echo "make bench B=$*: choose one of: $(BENCHES)" >&2; exit 2
prove-%:
	@echo "make prove P=$*: choose one of: $(PROOFS)" >&2; exit 2
