"""The modules that users of the package import."""

import json
import os
import re
import subprocess

import toolchain


def documented(root):
    """The library targets of the products: name, folder, and the re-exports that no target before it has."""
    paths, names = _manifest(root)
    found, shown = [], set(names)
    for name in names:
        own = [each for each in exports(paths[name]) if each in paths and each not in shown]
        shown.update(own)
        found.append((name, paths[name], own))
    return found


def public(root):
    """The library targets of the products and what they re-export: name, and re-exports."""
    paths, waiting = _manifest(root)
    found = {}
    while waiting:
        module = waiting.pop()
        if module not in found:
            found[module] = exports(paths[module])
            waiting += [each for each in found[module] if each in paths]
    return found


def _manifest(root):
    """The folder of each target, and the targets of the library products."""
    manifest = subprocess.run(
        ["swift", "package", "--package-path", root, "dump-package"],
        capture_output=True, text=True)
    if manifest.returncode != 0:
        raise toolchain.Problem(
            f"Expected to read Package.swift, found:\n{manifest.stderr.strip()}\nRepair it.")
    package = json.loads(manifest.stdout)
    paths = {
        target["name"]: os.path.join(root, target.get("path") or f"Sources/{target['name']}")
        for target in package["targets"]}
    names = [
        target for product in package["products"] if "library" in product["type"]
        for target in product["targets"]]
    return paths, names


def exports(folder):
    """The modules that a module re-exports, which no tool prints."""
    found = set()
    for parent, _, names in os.walk(folder):
        for name in filter(lambda name: name.endswith(".swift"), names):
            with open(os.path.join(parent, name), encoding="utf-8") as file:
                found.update(re.findall(
                    r"^@_exported\s+(?:public\s+)?import\s+(?:\w+\s+)?([\w.]+)", file.read(), re.M))
    return sorted(found)
