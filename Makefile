# Thin targets over the Swift package manager. `make quickstart` and `make test` are all that a
# machine with Swift needs.

.PHONY: quickstart test test-peers setup-peers lint strict format setup benchmark benchmark-check benchmark-size benchmark-test benchmark-requests sanitize sanitize-address test-pauses one-thread soak soak-hostile server board board-pictures api api-record docs

# SwiftPM 6.3 passes the names of several traits to the compiler in an order that changes from one
# process to the next, and a module whose command has changed is compiled as a whole. With the variable
# the order is always the same. Only builds have it: tests shall meet every order of a set.
#
# The product of all tests needs every target. --build-tests would build the libraries of the macros for the
# machine that runs as well, with all of swift-syntax, which only the machine that compiles needs.
BUILD := SWIFT_DETERMINISTIC_HASHING=1 swift build --product SkiathosPackageTests

# A few tests at a time, where the toolchain can do that. Many ask again and again whether something has
# happened; all of them at once take twice the processor time.
TEST = .ci/in-memory swift test --skip-build $(shell swift test --help-hidden 2> /dev/null \
	| grep -q experimental-maximum-parallelization-width && echo --experimental-maximum-parallelization-width 4)

# With the default traits, so that nothing is fetched or built for networking.
quickstart: setup
	swift run QuickStart

# All traits, so that everything is tested; make test FILTER=RowCacheTests runs one suite.
test: setup
	$(BUILD) --enable-all-traits
	$(TEST) --enable-all-traits $(if $(FILTER),--filter "$(FILTER)")

# Talks to programs of others: nginx, Squid, tinyproxy, httpbin, Datasette and Chromium. Those that
# are missing are named and left out; make setup-peers installs them.
test-peers: setup
	$(BUILD) --enable-all-traits
	PEERS=1 PEERS_PYTHON="$(CURDIR)/.build/peers/bin" $(TEST) --enable-all-traits \
		--filter "PeerTests|BrowserTests"

# Programs of the system through its package manager, those in Python into a directory of the build.
setup-peers:
	@missing=; \
	for program in nginx squid tinyproxy chromium; do \
		PATH="$$PATH:/usr/sbin" command -v $$program > /dev/null || missing="$$missing $$program"; \
	done; \
	test -z "$$missing" || { \
		command -v apt-get > /dev/null || { echo "Install$$missing or what your system calls them, then run this again."; exit 1; }; \
		as_root=$$(test "$$(id -u)" = 0 || echo sudo); \
		$$as_root apt-get update -qq && \
		DEBIAN_FRONTEND=noninteractive $$as_root apt-get install -y -qq --no-install-recommends \
			$$(echo "$$missing" | sed 's/nginx/nginx-light/'); }
	@test -x .build/peers/bin/datasette || { \
		python3 -m venv .build/peers && \
		.build/peers/bin/pip install -q --disable-pip-version-check httpbin datasette "setuptools<81"; }

lint:
	@swift format lint --strict --recursive --parallel Package.swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Tests Benchmarks/Requests/Package.swift Benchmarks/Requests/Sources \
		|| { echo "Run 'make format' to repair this."; exit 1; }

# Builds as a clean clone does; a warning (but for those about the manifests of other packages), or an
# import that the manifest does not name, fails.
strict: setup
	@mkdir -p .build
	@$(BUILD) --enable-all-traits --explicit-target-dependency-import-check error > .build/strict.log 2>&1 \
		|| { cat .build/strict.log; exit 1; }
	@if grep 'warning:' .build/strict.log | grep -v "^warning: 'swift-"; then echo "The build must not warn."; exit 1; fi

# The public API is that of Tests/API/Baseline, and the changelog says what broke; with all traits, as the
# baseline is. The first line shows that the check finds what it has to.
api: setup
	$(BUILD) --enable-all-traits
	Tests/API/check --canary
	Tests/API/check

# Writes that baseline; refuses a breaking change without its line in CHANGELOG.md.
api-record: setup
	$(BUILD) --enable-all-traits
	Tests/API/check --record

# The documentation of all products as a static site in .build/documentation; a warning fails.
# ARGUMENTS="--base-path skiathos" is for a site whose address ends so; Tests/API/document --serve shows it.
docs: setup
	$(BUILD) --enable-all-traits
	Tests/API/document $(ARGUMENTS)

format:
	swift format format --in-place --recursive --parallel Package.swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Tests Benchmarks/Requests/Package.swift Benchmarks/Requests/Sources

# The thread sanitizer finds data races; without macros and networking the build is short. What a single
# thread does is not even compiled there: ONE_THREAD names targets, folders and files of tests, and
# ConcurrencyIsSanitized finds one in which several tasks are at work. So are tests that examine what is left
# of a store after a loss of power or kill -9, again and again. The sanitizer knows nothing of the
# locks of swift-async-algorithms, and reports each use of what they guard.
ONE_THREAD := ExamplesTests MisuseTests SkiathosMacrosTests WeakProxyTests \
	$(addprefix SkiathosCoreTests/,ActiveRecord Entities Limits Migrations/MigrationTests.swift Queries Relationships Values \
		$(addprefix Failures/,MistakeTests.swift OpeningFailureTests.swift RefusedRowTests.swift ValueFailureTests.swift) \
		$(addprefix Main/,CacheSlotsTests.swift ChangeLogTests.swift RecentChangesTests.swift) \
		$(addprefix Main/LiveQueries/,InterestHistoryTests.swift InterestIndexTests.swift \
			IntervalIndexTests.swift ListDifferenceTests.swift SectionTests.swift) \
		$(addprefix Model/,ExactText.swift ModelTests.swift ObjectModel.swift ObjectModelTests.swift \
			ObjectScript.swift World.swift) \
		$(addprefix Regressions/,CyclicDeletionTests.swift \
			DeletionRegressionTests.swift ObjectRegressionTests.swift QueryRegressionTests.swift) \
		Root/CommitStateMachineTests.swift Worker/UnitRegistryTests.swift Worker/ValidationTests.swift) \
	$(addprefix SkiathosSQLiteTests/,ForeignFiles Functions Metering Migrations Opening Queries Schema Search \
		$(addprefix Sessions/,ApplyTests.swift BindingTests.swift BulkApplyTests.swift BulkTableTests.swift \
			ErrorTranslationTests.swift IdentifierTests.swift KeptReadTests.swift LoneInsertionTests.swift \
			Recording ReferenceTests.swift RowLookupTests.swift RowTests.swift StatementCacheTests.swift \
			WriteAheadLogTests.swift) \
		$(addprefix WAL/,FrameWriterRun.swift FrameWriterTests.swift LongRollbackTests.swift)) \
	$(addprefix SkiathosGRDBTests/,Northwind ReadTests.swift StoredValueTests.swift UndecodableRowTests.swift) \
	$(addprefix PersistenceServiceTests/,Model Spaces/ConflictTests.swift) \
	DataRequestPersistenceTests/Kills \
	$(addprefix DataRequestCoreTests/,Caching Compression Decoding Multipart Requests Serializing \
		$(addprefix FuzzTests/,AnswerFuzzTests.swift RandomAnswers.swift) \
		$(addprefix Streaming/,JSONElementScannerTests.swift JSONElementsTests.swift RandomJSON.swift)) \
	$(addprefix ReliabilityTests/,HostileFiles PowerCuts Processes/KillTests.swift \
		$(addprefix Faults/,FullDiskTests.swift MigrationFaultTests.swift WALDamageTests.swift))
ASYNC_ALGORITHMS := SkiathosCoreTests/Main/LiveQueries/AsyncAlgorithmsTests.swift
sanitize: export SKIATHOS_TESTS := $(addprefix -,$(ONE_THREAD) $(ASYNC_ALGORITHMS))
sanitize: setup
	$(BUILD) --traits Lifecycle,RequestCore,Tracing --sanitize=thread -Xswiftc -DTHREAD_SANITIZER \
		--scratch-path .build-tsan
	$(TEST) --traits Lifecycle,RequestCore,Tracing --sanitize=thread \
		--scratch-path .build-tsan

# Threads pause before or after some of the locks that they take, at other places with each seed. What relies
# on the order in which an idle machine runs threads fails. make test-pauses SEED=7 FILTER=RowCacheTests repeats
# the places of a run in one suite.
test-pauses: export SKIATHOS_TESTS := $(addprefix -,$(ONE_THREAD))
test-pauses: export SKIATHOS_PAUSES := $(or $(SEED),$(shell od -An -N4 -tu4 /dev/urandom | tr -d ' '))
test-pauses: setup
	$(BUILD) --enable-all-traits -Xswiftc -DRANDOM_PAUSES --scratch-path .build-pauses
	@echo "make test-pauses SEED=$$SKIATHOS_PAUSES repeats the places of the pauses."
	$(TEST) --enable-all-traits --scratch-path .build-pauses $(if $(FILTER),--filter "$(FILTER)")

# For ConcurrencyIsSanitized.
one-thread:
	@echo $(ONE_THREAD)

# The address sanitizer watches the code that handles pointers: the backend, and what goes on below it when
# files are damaged, full or cut off. It stumbles over the way in which Foundation starts processes, so suites
# that do are left out.
sanitize-address: export SKIATHOS_TESTS := SkiathosSQLiteTests ReliabilityTests \
	$(addprefix -ReliabilityTests/,AccessPairs Histories LiveQueries OtherProcesses Processes Seeds Shutdowns) \
	-ReliabilityTests/Faults/MigrationFaultTests.swift \
	$(addprefix -SkiathosSQLiteTests/,Metering Schema $(addprefix Migrations/,Matrix \
		InterruptionTests.swift NewerStoreTests.swift RefusalTests.swift StepTests.swift))
sanitize-address: setup
	$(BUILD) --disable-default-traits --sanitize=address -Xswiftc -DADDRESS_SANITIZER --scratch-path .build-asan
	ASAN_OPTIONS=detect_leaks=0 $(TEST) --disable-default-traits --sanitize=address \
		--scratch-path .build-asan \
		--filter "SkiathosSQLiteTests|PowerCutTests|FaultTests|InterferenceTests|FullDiskTests|SurvivalTests|HostileFileTests"

# Looks for lost writes as long as one likes: make soak ARGUMENTS="--minutes 60 --seed 7".
soak: setup
	swift build -c release --traits Lifecycle --product ReliabilityChild --scratch-path .build-soak
	swift run -c release --traits Lifecycle --scratch-path .build-soak soak $(ARGUMENTS)

# Ten thousand mutated files under the address sanitizer, which sees what SQLite is given as well:
# make soak-hostile ARGUMENTS="--seed 7 --rounds 1" repeats a round.
soak-hostile: setup
	swift build -c release --traits Lifecycle --sanitize=address --product soak --scratch-path .build-soak-asan
	ASAN_OPTIONS=detect_leaks=0 $$(swift build -c release --traits Lifecycle --sanitize=address --scratch-path .build-soak-asan --show-bin-path)/soak \
		hostile-files --minutes 600 $(or $(ARGUMENTS),--rounds 10)

# Compares Skiathos with raw SQLite calls and GRDB; make benchmark ARGUMENTS="--rounds 3" is shorter.
benchmark: setup
	swift run -c release --package-path Benchmarks Benchmarks compare --targets \
		--markdown Benchmarks/Results.md --plot Benchmarks/Results.svg $(ARGUMENTS)

# Fails if something is slower than Benchmarks/thresholds.json; ARGUMENTS=--record writes that anew.
benchmark-check: setup
	swift run -c release --package-path Benchmarks Benchmarks check $(ARGUMENTS)

benchmark-size: setup
	Benchmarks/size.sh

benchmark-test: setup
	swift test --package-path Benchmarks

# An example; what it does is in Examples/README.md.
server: setup
	swift run --enable-all-traits NotesServer

board: setup
	swift run --enable-all-traits LiveBoard

# Draws the pictures of Examples/README.md, in Chromium.
board-pictures: setup
	$(BUILD) --enable-all-traits
	mkdir -p Examples/LiveBoard/Pictures
	python3 Tests/LiveBoardTests/Browser/board.py --server .build/debug/LiveBoard \
		--browser "$$(command -v chromium || command -v chromium-browser || command -v google-chrome)" \
		--pictures Examples/LiveBoard/Pictures

# What the package needs beside Swift: the headers of SQLite and zlib, and Python for the tests, which
# talk to servers and parsers that are not ours.
setup:
	@test "$$(uname)" = Darwin || { \
		missing=; \
		test -f /usr/include/sqlite3.h || missing="$$missing libsqlite3-dev"; \
		test -f /usr/include/zlib.h || missing="$$missing zlib1g-dev"; \
		command -v python3 > /dev/null || missing="$$missing python3"; \
		test -z "$$missing" || { \
			command -v apt-get > /dev/null || { echo "Install$$missing or what your system calls them, then run this again."; exit 1; }; \
			as_root=$$(test "$$(id -u)" = 0 || echo sudo); \
			$$as_root apt-get update -qq && $$as_root apt-get install -y -qq $$missing; }; }

# Compares requests of the service with bare async-http-client; ARGUMENTS="5 1000" is shorter.
benchmark-requests: setup
	swift run -c release --package-path Benchmarks/Requests RequestBenchmarks $(ARGUMENTS)
