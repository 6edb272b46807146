"""The committed API: two files for each module, and notes."""

import hashlib
import json
import os

import toolchain

_NOTES = "notes.json"


class Baseline:
    """A folder of baselines.

    A module has its lines in a text, which a reviewer reads, and the digester's tree in an archive.
    The notes name the compiler that recorded them and the breaking changes since the last release.
    """

    def __init__(self, folder):
        self.folder = folder

    def modules(self):
        names = os.listdir(self.folder) if os.path.isdir(self.folder) else []
        return sorted(name[:-4] for name in names if name.endswith(".txt"))

    def surface(self, module):
        try:
            with open(self._path(module, ".txt"), encoding="utf-8") as file:
                lines = file.read().splitlines()
            archive = toolchain.read_tree(self._path(module, ".json.gz"))
            digest, tree = archive["digest"], archive["tree"]
        except (OSError, EOFError, ValueError, KeyError) as error:
            raise toolchain.Problem(
                f"Expected two files for {module} in {self.folder}, found: {error}."
                " Restore them with git.")
        if digest != _digest(lines):
            raise toolchain.Problem(
                f"Expected {module}.txt and {module}.json.gz of {self.folder} to be recorded"
                " together, found that they differ. Take both from one commit, then run"
                " `make api-record`.")
        return toolchain.Surface(lines, tree)

    def record(self, module, surface):
        os.makedirs(self.folder, exist_ok=True)
        with open(self._path(module, ".txt"), "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in surface.lines)
        toolchain.write_tree(
            self._path(module, ".json.gz"),
            {"digest": _digest(surface.lines), "tree": surface.tree})

    def remove(self, module):
        os.remove(self._path(module, ".txt"))
        os.remove(self._path(module, ".json.gz"))

    def notes(self):
        path = os.path.join(self.folder, _NOTES)
        if not os.path.exists(path):
            return {"breaking": [], "compiler": "", "release": ""}
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def write_notes(self, notes):
        with open(os.path.join(self.folder, _NOTES), "w", encoding="utf-8") as file:
            json.dump(notes, file, indent=2, ensure_ascii=False, sort_keys=True)
            file.write("\n")

    def _path(self, module, suffix):
        return os.path.join(self.folder, module + suffix)


def _digest(lines):
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
