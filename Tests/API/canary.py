"""Known changes, of which the check has to find just those that matter.

A check that finds nothing looks like an API that did not change. So each kind of change is made
to a type of its own in a small module, two are made to a copy of a real one, and both commands are
given baselines and changelogs.
"""

import os
import re
import shutil
import tempfile

import baseline
import changelog
import commands
import comparison
import interface
import toolchain

# What the change of a type has to be taken for.
SEEN = "a breaking change that the digester sees as well"
UNSEEN = "a breaking change that only the text shows"
ADDED = "an addition"
NOTHING = "nothing"

# The name of the type, what is expected, and the declarations before and after.
CASES = [
    ("RemovedMethod", SEEN, "public struct # { public func f() {} }", "public struct # {}"),
    ("RenamedMethod", SEEN, "public struct # { public func f() {} }",
     "public struct # { public func g() {} }"),
    ("InternalMethod", SEEN, "public struct # { public func f() {} }",
     "public struct # { func f() {} }"),
    ("PackagedMethod", SEEN, "public struct # { public func f() {} }",
     "public struct # { package func f() {} }"),
    ("RemovedType", SEEN, "public struct # { public init() {} }", ""),
    ("Parameter", SEEN, "public struct # { public func f(_ n: Int) {} }",
     "public struct # { public func f(_ n: String) {} }"),
    ("Label", SEEN, "public struct # { public func f(a: Int) {} }",
     "public struct # { public func f(b: Int) {} }"),
    ("Result", SEEN, "public struct # { public func f() -> Int { 1 } }",
     "public struct # { public func f() -> Int? { 1 } }"),
    ("LostDefault", SEEN, "public struct # { public func f(_ n: Int = 1) {} }",
     "public struct # { public func f(_ n: Int) {} }"),
    ("Throwing", SEEN, "public struct # { public func f() {} }",
     "public struct # { public func f() throws {} }"),
    ("Setter", SEEN, "public struct # { public var n = 1 }",
     "public struct # { public internal(set) var n = 1 }"),
    ("Conformance", SEEN, "public struct #: Equatable {}", "public struct # {}"),
    ("Constraint", SEEN, "public struct #<T> { public func f() where T: Equatable {} }",
     "public struct #<T> { public func f() where T: Hashable {} }"),
    ("NewCase", SEEN, "public enum # { case a }", "public enum # { case a, b }"),
    ("NewRequirement", SEEN, "public protocol # { func f() }",
     "public protocol # { func f(); func g() }"),
    ("Inheritance", SEEN, "public protocol # {}", "public protocol #: Sendable {}"),
    ("Statics", SEEN, "public struct # { public static func f() {} }",
     "public struct # { public func f() {} }"),
    ("Isolation", UNSEEN, "public struct # { public func f() {} }",
     "public struct # { @MainActor public func f() {} }"),
    ("OfActor", UNSEEN, "public actor # { nonisolated public func f() {} }",
     "public actor # { public func f() {} }"),
    ("TypedError", UNSEEN, "public struct # { public func f() throws(CancellationError) {} }",
     "public struct # { public func f() throws {} }"),
    ("Closure", UNSEEN, "public struct # { public func f(_ c: () -> Void) {} }",
     "public struct # { public func f(_ c: @Sendable () -> Void) {} }"),
    ("Discardable", UNSEEN,
     "public struct # { @discardableResult public func f() -> Int { 1 } }",
     "public struct # { public func f() -> Int { 1 } }"),
    ("Moveonly", SEEN, "public struct # {}", "public struct #: ~Copyable {}"),
    ("NewMethod", ADDED, "public struct # {}", "public struct # { public func f() {} }"),
    ("NewConformance", ADDED, "public struct # {}", "public struct #: Hashable {}"),
    ("NewType", ADDED, "", "public struct # { public init() {} }"),
    ("Implemented", ADDED, "public protocol # {}",
     "public protocol # { func f() }\nextension # { public func f() {} }"),
    ("HiddenMethod", NOTHING, "public struct # { package func f() {} ; func g() {} }",
     "public struct # { package func h(_ n: Int) {} ; func i() {} }"),
    ("HiddenType", NOTHING, "package struct # { package var n = 1 }",
     "package enum # { case a }"),
    ("HiddenProtocol", NOTHING, "package protocol # { func f() }",
     "package protocol # { func f(); func g() }"),
    ("HiddenConformance", NOTHING,
     "package protocol P# {}\npublic struct #: P# {}", "public struct # {}"),
    ("HiddenSetter", NOTHING, "public struct # { public package(set) var n = 1 }",
     "public struct # { public private(set) var n = 1 }"),
    ("HiddenCase", NOTHING, "enum # { case a }", "enum # { case a, b }"),
    ("Body", NOTHING, "public struct # { public func f() -> Int { 1 } }",
     "public struct # { /// It has a comment { now.\n@inlinable public func f() -> Int { 2 } }"),
    ("Moved", NOTHING, "public struct # { public func f() {} }",
     "public struct # {}\nextension # { public func f() {} }"),
    ("Deprecated", NOTHING, "public struct # { public func f() {} }",
     "public struct # { @available(*, deprecated, message: \"{ )\") public func f() {} }"),
]

GOOD = """\
# Changelog

## [Unreleased]

## [0.2.0] - 2026-12-01

### Added

- A line.

### Fixed

- Another one.

## [0.1.0] - 2026-11-22

[Unreleased]: https://example.com/new
[0.2.0]: https://example.com/2
[0.1.0]: https://example.com/1
"""

# A text of the good changelog, what replaces it, and a part of what is to be said about it.
MISTAKES = [
    ("# Changelog", "# Changes", "expected '# Changelog'"),
    ("## [Unreleased]\n", "", "as the first section"),
    ("## [0.2.0] - 2026-12-01", "## 0.2.0", "expected '## [1.2.3] - 2026-01-31'"),
    ("2026-12-01", "2026-13-01", "expected a date"),
    ("2026-12-01", "2026-11-01", "expected a version older"),
    ("## [0.2.0]", "## [0.0.9]", "expected a version older"),
    ("### Fixed", "### Repaired", "expected one of Added"),
    ("### Fixed", "### Added", "is given twice"),
    ("### Fixed", "### Fixed\n\n- A.\n\n### Changed", "comes after it"),
    ("### Added\n", "", "expected the entry below a heading"),
    ("- Another one.", "- A line.", "expected each entry once"),
    ("[0.2.0]: https://example.com/2\n", "", "Expected a link"),
    ("[0.2.0]: ", "[0.3.0]: https://example.com/3\n[0.2.0]: ", "for this link"),
]


def run(tools, root, build):
    """Raises a problem that lists what was missed, or was found where nothing is."""
    failures = _changelogs()
    with tempfile.TemporaryDirectory() as folder:
        failures += _commands(tools, folder)
        failures += _small_module(tools, folder)
        failures += _missing_module(tools, folder)
        failures += _real_module(tools, folder, root, build)
    if failures:
        raise toolchain.Problem(
            "The canary of the API check expected other answers:\n  " + "\n  ".join(failures)
            + "\nRepair Tests/API before you trust it.")
    print("The check of the API finds what it has to in known changes.")


def _compiled(tools, folder, name, sources, options=()):
    """The surface of a module that is compiled from sources into a folder of its own."""
    os.makedirs(folder)
    tools.compile_module(name, sources, folder, options)
    surface = tools.surface(name, ["-I", folder, *options])
    toolchain.without_package([surface.tree])
    return surface


def _small_module(tools, folder):
    surfaces = []
    for index, version in ((2, "old"), (3, "new")):
        path = os.path.join(folder, f"{version}.swift")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(case[index].replace("#", case[0]) + "\n" for case in CASES)
        surfaces.append(_compiled(tools, os.path.join(folder, version), "Canary", [path]))
    found = comparison.Comparison("Canary", *surfaces, tools)
    texts = found.removed + [" ".join(pair) for pair in found.changed]
    failures = []
    for name, expected, _, _ in CASES:
        def concerns(line):
            return re.search(rf"\b{name}\b", line) is not None

        said = [line for line in found.breaking + found.added if concerns(line)]
        if any(map(concerns, found.judged)):
            answer = SEEN
        elif any(map(concerns, texts)):
            answer = UNSEEN
        else:
            answer = ADDED if any(map(concerns, found.added)) else NOTHING
        if answer != expected:
            failures.append(f"{name}: expected {expected}, found {answer}: {said}")
    names = re.compile(r"\b(" + "|".join(case[0] for case in CASES) + r")\b")
    failures += [
        f"expected nothing that concerns no case, found {line}"
        for line in found.breaking + found.added if not names.search(line)]
    return failures


def _missing_module(tools, folder):
    """A module that cannot be loaded is no module from which everything was removed."""
    needed, needing = (os.path.join(folder, f"{name}.swift") for name in ("Gone", "Needing"))
    with open(needed, "w", encoding="utf-8") as file:
        file.write("public struct Gone {}\n")
    with open(needing, "w", encoding="utf-8") as file:
        file.write("public import Gone\npublic func f(_ gone: Gone) {}\n")
    modules = os.path.join(folder, "missing")
    os.makedirs(modules)
    tools.compile_module("Gone", [needed], modules)
    tools.compile_module("Needing", [needing], modules, ["-I", modules])
    os.remove(os.path.join(modules, "Gone.swiftmodule"))
    failures = []
    for reader in (tools.lines, tools.tree):
        try:
            reader("Needing", ["-I", modules])
        except toolchain.Problem:
            continue
        failures.append(f"{reader.__name__}: expected to refuse a module without what it imports,"
                        " found that it was read")
    return failures


def _real_module(tools, folder, root, build):
    """`ServiceLocator` with a method that is no longer public, another that has lost a default,
    and members that are none of a caller's business."""
    sources = os.path.join(root, "Sources", "ServiceLocator")
    copy = os.path.join(folder, "sources")
    shutil.copytree(sources, copy)
    edits = [
        ("Describing/ServiceLocator+Graph.swift", "public func graph()", "func graph()"),
        ("Registering/ServiceLocator+Register.swift",
         "public func isRegistered<P: Sendable>(_ type: P.Type, named name: String? = nil)",
         "public func isRegistered<P: Sendable>(_ type: P.Type, named name: String)"),
    ]
    for path, old, new in edits:
        path = os.path.join(copy, path)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if text.count(old) != 1:
            raise toolchain.Problem(
                f"Expected '{old}' once in {path}, found it {text.count(old)} times. Give the"
                " canary in Tests/API/canary.py another declaration to change.")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(old, new))
    extra = os.path.join(copy, "Canary.swift")
    with open(extra, "w", encoding="utf-8") as file:
        file.write("package struct Canary {}\nextension ServiceLocator {\n"
                   "    package func sings() {}\n    func flies() {}\n}\n")
    swift = [
        os.path.join(parent, name) for parent, _, names in os.walk(copy)
        for name in names if name.endswith(".swift")]
    features = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]
    flags = [word for each in features for word in ("-enable-upcoming-feature", each)]
    options = toolchain.compiled_options(build, "ServiceLocator")
    old = tools.surface("ServiceLocator", options)
    toolchain.without_package([old.tree])
    modules = os.path.join(folder, "real")
    os.makedirs(modules)
    tools.compile_module(
        "ServiceLocator", swift, modules, options + flags,
        package=toolchain.compiled_package(build, "ServiceLocator"))
    new = tools.surface("ServiceLocator", ["-I", modules, *options])
    toolchain.without_package([new.tree])
    found = comparison.Comparison("ServiceLocator", old, new, tools)
    wanted = {"graph", "isRegistered"}
    texts = found.removed + [old for old, _ in found.changed]
    texts = {interface.key(line)[1] for line in texts}
    judged = {name for line in found.judged for name in re.findall(r"\.(\w+)\(", line)}
    if texts == judged == wanted and not found.added:
        return []
    return [f"expected that {sorted(wanted)} alone have changed, found {found.describe()}"]


def _commands(tools, folder):
    """Checks and records what becomes of a module, with and without its line in the changelog."""
    announced = GOOD.replace(
        "## [Unreleased]\n", "## [Unreleased]\n\n### Changed\n\n- **Breaking:** `f` is `g`.\n")
    released = announced.replace(
        "## [Unreleased]\n", "## [Unreleased]\n\n## [0.3.0] - 2026-12-24\n"
    ).replace("[0.2.0]: ", "[0.3.0]: https://example.com/3\n[0.2.0]: ")
    store = baseline.Baseline(os.path.join(folder, "baseline"))
    steps = [
        # What is done, the module's declarations, the changelog, and a part of what is demanded.
        ("record", ["T | func f()"], GOOD, None),
        ("check", ["T | func f()"], GOOD, None),
        ("check", ["T | func f()", "T | func g()"], GOOD, "make api-record"),
        ("record", ["T | func f()", "T | func g()"], GOOD, None),
        ("check", ["T | func f()", "T | func g()"], GOOD, None),
        ("check", ["T | func g()"], GOOD, "removed: T | func f()"),
        ("check", ["T | func g()"], GOOD, "does not announce"),
        ("record", ["T | func g()"], GOOD, "does not announce"),
        ("check", ["T | func f()", "T | func g()"], GOOD, None),
        ("check", ["T | func g()"], announced, "make api-record"),
        ("record", ["T | func g()"], announced, None),
        ("check", ["T | func g()"], announced, None),
        ("check", ["T | func g()"], GOOD, "notes.json"),
        ("check", ["T | func g()"], released, None),
        ("record", ["T | func g()"], released, None),
        ("check", ["T | func g()"], released.replace("- **Breaking:**", "-"), None),
        ("check", ["T | func g()"], GOOD.replace("# Changelog", ""), "CHANGELOG.md: Line 1"),
        ("check", None, GOOD, "removed: T | func g()"),
        ("record", None, announced, None),
        ("check", None, announced, None),
    ]
    failures = []
    for number, (command, lines, text, expected) in enumerate(steps, 1):
        surfaces = {} if lines is None else {"Canary": toolchain.Surface(lines, None)}
        try:
            getattr(commands, command)(tools, store, surfaces, text)
            found = ""
        except toolchain.Problem as problem:
            found = str(problem)
        if (expected is None) != (found == "") or (expected or "") not in found:
            failures.append(f"step {number}, {command}: expected '{expected}', found '{found}'")
    store.record("Canary", toolchain.Surface(["T | func f()"], None))
    with open(os.path.join(store.folder, "Canary.txt"), "a", encoding="utf-8") as file:
        file.write("T | func g()\n")
    try:
        store.surface("Canary")
        failures.append("expected a text that was changed by hand to be refused")
    except toolchain.Problem:
        pass
    return failures


def _changelogs():
    failures = [f"the good changelog: {each}" for each in changelog.problems(GOOD)]
    for old, new, expected in MISTAKES:
        found = changelog.problems(GOOD.replace(old, new, 1))
        if not any(expected in each for each in found):
            failures.append(f"'{old}' as '{new}': expected '{expected}', found {found}")
    return failures
