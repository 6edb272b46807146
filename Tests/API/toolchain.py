"""What Swift's tools say about a compiled module.

Two of them are asked. The text of `swift-synthesize-interface` has public declarations alone, with
everything that a caller has to know. `swift-api-digester` judges what breaks callers, but does not
see all of it: the isolation of a function, the type of its errors, and whether a closure is
`@Sendable` are no matter to it. It also takes `package` for public, and a module that cannot be
loaded for an empty one (swift-package-manager#10010 and #8081); both are dealt with here.
"""

import gzip
import json
import os
import re
import shutil
import subprocess
import tempfile

import interface


class Problem(Exception):
    """A sentence about what was expected, what was found, and what to do."""


class Surface:
    """The public API of one module: its lines, and the digester's tree without `package`."""

    def __init__(self, lines, tree):
        self.lines, self.tree = lines, tree


class Toolchain:
    """The tools beside the `swiftc` that is found first."""

    def __init__(self):
        compiler = shutil.which("swiftc")
        if compiler is None:
            raise Problem("Expected swiftc on the PATH, found none. Install Swift.")
        self._folders = [os.path.dirname(compiler), os.path.dirname(os.path.realpath(compiler))]
        self._cache = tempfile.TemporaryDirectory()
        target = json.loads(self.run("swiftc", "-print-target-info"))
        self.version = target["compilerVersion"]
        self._triple = target["target"]["unversionedTriple"]

    def run(self, tool, *arguments):
        """Its standard output; a tool that fails is a problem."""
        path = next(filter(os.path.exists, (os.path.join(f, tool) for f in self._folders)), None)
        if path is None:
            raise Problem(
                f"Expected {tool} in {self._folders[0]}, found none. Install a Swift toolchain"
                " that has it; those of swift.org do.")
        done = subprocess.run([path, *arguments], capture_output=True, text=True)
        if done.returncode != 0:
            raise Problem(
                f"Expected {tool} to succeed, found exit status {done.returncode}:\n"
                f"{(done.stdout + done.stderr).strip()[-40000:]}")
        return done.stdout

    def compile_module(self, name, sources, into, options=(), package="canary"):
        """Compiles sources to a module without code."""
        self.run(
            "swiftc", "-emit-module", "-module-name", name, "-package-name", package,
            "-parse-as-library", "-swift-version", "6", "-target", self._triple,
            "-module-cache-path", self._cache.name, *options,
            "-o", os.path.join(into, f"{name}.swiftmodule"), *sources)

    def surface(self, module, options):
        """What a module that was compiled offers; `options` say where modules are found."""
        return Surface(self.lines(module, options), self.tree(module, options))

    def lines(self, module, options):
        text = self._written("swift-synthesize-interface", ["-module-name", module, *options])
        return interface.declarations(text)

    def symbol_graphs(self, module, exports, folder, options):
        """Writes what a documentation says of a module, and of modules that it re-exports."""
        self.run(
            "swift-symbolgraph-extract", "-module-name", module, "-output-dir", folder,
            "-minimum-access-level", "public", "-emit-extension-block-symbols",
            "-skip-inherited-docs", "-target", self._triple, "-swift-version", "6",
            "-module-cache-path", self._cache.name,
            *([f"-experimental-allowed-reexported-modules={','.join(exports)}"] if exports else []),
            *options)

    def tree(self, module, options):
        root = json.loads(self._written("swift-api-digester", [
            "-dump-sdk", "-module", module, "-abort-on-module-fail", "-avoid-location",
            "-avoid-tool-args", *options]))
        # A module that could not be loaded is called NO_MODULE, and the exit status is 0.
        if root["ABIRoot"]["name"] != module or not root["ABIRoot"].get("children"):
            raise Problem(
                f"Expected swift-api-digester to load {module}, found that it could not. Build the"
                " package again with `swift build --enable-all-traits`.")
        return root

    def _written(self, tool, arguments):
        """What a tool writes to a file about a module."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "written")
            self.run(
                tool, *arguments, "-o", path, "-target", self._triple, "-swift-version", "6",
                "-module-cache-path", self._cache.name)
            with open(path, encoding="utf-8") as file:
                return file.read()

    def breakages(self, old, new):
        """What the digester says about a change from one tree to another."""
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("old", "new", "report")]
            for path, tree in zip(paths, (old, new)):
                with open(path, "w", encoding="utf-8") as file:
                    json.dump(tree, file)
            self.run(
                "swift-api-digester", "-diagnose-sdk", "-input-paths", paths[0],
                "-input-paths", paths[1], "-o", paths[2], "-module-cache-path", self._cache.name)
            with open(paths[2], encoding="utf-8") as file:
                lines = file.read().splitlines()
        return sorted(line for line in lines if line and not line.startswith("/*"))


def without_package(trees):
    """Removes from trees of modules of one package what is not public."""
    hidden = set()
    for tree in trees:
        _collect_hidden(tree["ABIRoot"], hidden)
    for tree in trees:
        _prune(tree["ABIRoot"], hidden)


def _collect_hidden(node, hidden):
    if node.get("isInternal"):
        hidden.add(node.get("usr"))
    for child in node.get("children", []):
        _collect_hidden(child, hidden)


def _prune(node, hidden):
    # Names for the linker are no part of the API.
    node.pop("mangledName", None)
    for part in ("children", "accessors", "conformances"):
        if part in node:
            node[part] = [
                child for child in node[part]
                if not child.get("isInternal") and child.get("declKind") != "Import"
                and not (part == "conformances" and child.get("usr") in hidden)]
            for child in node[part]:
                _prune(child, hidden)


def read_tree(path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return json.load(file)


def write_tree(path, tree):
    """Without a date, so that equal trees make equal files."""
    data = json.dumps(tree, separators=(",", ":"), sort_keys=True).encode()
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as archive:
        archive.write(data)


def compiled_options(build, module):
    """The options with which the package manager let a module find others."""
    maps = sorted(set(re.findall(r'"(-fmodule-map-file=[^"]*)"', _command(build, module))))
    return ["-I", os.path.join(build, "Modules")] + [w for each in maps for w in ("-Xcc", each)]


def compiled_package(build, module):
    """The name of the package of which a module was compiled as a part."""
    return re.search(r'"-package-name","([^"]*)"', _command(build, module)).group(1)


def _command(build, module):
    """The package manager's line about compiling a module."""
    modules = os.path.join(build, "Modules")
    if not os.path.exists(os.path.join(modules, f"{module}.swiftmodule")):
        raise Problem(
            f"Expected the module {module} in {modules}, found none. Build it with"
            " `swift build --enable-all-traits`.")
    wanted = f'"-module-name","{module}",'
    made = f'Modules/{module}.swiftmodule"'
    command = None
    if os.path.exists(f"{build}.yaml"):
        with open(f"{build}.yaml", encoding="utf-8") as file:
            command = next((line for line in file if wanted in line and made in line), None)
    if command is None:
        raise Problem(
            f"Expected {build}.yaml to say how {module} was compiled, found nothing. Build the"
            " package again with `swift build --enable-all-traits`.")
    return command
