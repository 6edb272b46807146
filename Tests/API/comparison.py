"""What has become of a module's API, and what a change demands."""

import changelog
import interface
import toolchain

EMPTY = toolchain.Surface([], None)


class Comparison:
    """The differences between two surfaces of a module.

    Whatever is removed or changed counts as breaking, also where callers would still compile: a
    line in the changelog costs less than a wrong guess. What is only added is breaking if the
    digester says so, as of a case of an enumeration and a requirement without an implementation.
    """

    def __init__(self, module, old, new, tools):
        self.module = module
        self.removed, self.changed, self.added = interface.difference(old.lines, new.lines)
        self.judged = []
        if old.tree is not None and new.tree is not None and old.tree != new.tree:
            self.judged = tools.breakages(old.tree, new.tree)

    @property
    def is_empty(self):
        """Trees also differ in what callers cannot notice, such as inlining."""
        return not (self.breaking or self.added)

    @property
    def breaking(self):
        """A sentence for each breaking change, without the module."""
        return (
            [f"removed: {line}" for line in self.removed]
            + [f"changed: {old}  ->  {new}" for old, new in self.changed]
            + [f"swift-api-digester: {line}" for line in self.judged])

    def describe(self):
        lines = [f"  {line}" for line in self.breaking]
        lines += [f"  added: {line}" for line in self.added]
        return "\n".join([f"{self.module}:", *lines])


def demand(comparisons, notes, changelog_text, compiler):
    """What has to be done about the differences, or nothing where there is none."""
    breaking = sum(len(each.breaking) for each in comparisons)
    changed = [each for each in comparisons if not each.is_empty]
    found = []
    if breaking and not changelog.announces_breaking(changelog_text):
        changes = "a breaking change" if breaking == 1 else f"{breaking} breaking changes"
        found.append(
            f"Expected the public API of Tests/API/Baseline, found {changes} that"
            " CHANGELOG.md does not announce.\nEither restore what is named above; or add a line"
            f" that begins with '{changelog.BREAKING}' and says what users have to do under"
            " '## [Unreleased]' in CHANGELOG.md, run `make api-record`, and commit both.")
    elif changed:
        what = "breaking changes, which CHANGELOG.md announces," if breaking else "additions"
        found.append(
            f"Expected the public API of Tests/API/Baseline, found {what} that are not recorded."
            " Run `make api-record`, look at the difference, and commit it.")
    if notes["breaking"] and not changelog.announced_since(changelog_text, notes["release"]):
        found.append(
            f"Expected CHANGELOG.md to announce the breaking changes since {notes['release']} that"
            " Tests/API/Baseline/notes.json lists, found no line that begins with"
            f" '{changelog.BREAKING}' above that version. Add it.")
    if found and changed and notes["compiler"] != compiler:
        found.append(
            f"The baseline was recorded by {notes['compiler']}, and this is {compiler}: a"
            " difference that no change explains may come from the compiler.")
    return found
