"""The form of CHANGELOG.md, that of keepachangelog.com, and what it announces."""

import datetime
import re

KINDS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
BREAKING = "- **Breaking:**"

_VERSION = re.compile(r"^## \[(\d+)\.(\d+)\.(\d+)\] - (\d{4}-\d\d-\d\d)$")
_LINK = re.compile(r"^\[([^\]]+)\]: (\S+)$")


def sections(text):
    """The lines of each section by its heading, without `## `, newest first."""
    found, current = {}, None
    for line in text.splitlines():
        if line.startswith("## "):
            current = line[3:]
            found.setdefault(current, [])
        elif current is not None:
            found[current].append(line)
    return found


def announces_breaking(text):
    """Whether the section of what is not released announces a breaking change."""
    lines = sections(text).get("[Unreleased]", [])
    return any(line.startswith(BREAKING) for line in lines)


def newest_release(text):
    """The newest version that has a section."""
    headings = (_VERSION.match(f"## {heading}") for heading in sections(text))
    return next((".".join(match.groups()[:3]) for match in headings if match), "")


def announced_since(text, release):
    """Whether a section above that of a release announces a breaking change."""
    for heading, lines in sections(text).items():
        if heading.startswith(f"[{release}]"):
            return False
        if any(line.startswith(BREAKING) for line in lines):
            return True
    return False


def problems(text):
    """What is wrong with the form, a sentence each, with the number of the line."""
    found = []
    lines = text.splitlines()
    if not lines or lines[0] != "# Changelog":
        found.append("Line 1: expected '# Changelog'. Begin the file with it.")
    headings = [(n, line) for n, line in enumerate(lines, 1) if line.startswith("## ")]
    if not headings or headings[0][1] != "## [Unreleased]":
        found.append("Expected '## [Unreleased]' as the first section. Add it, empty if need be.")
    found += _version_problems(headings[1:])
    found += _entry_problems(lines)
    found += _link_problems(lines, headings)
    return found


def _version_problems(headings):
    found, previous = [], None
    for number, line in headings:
        match = _VERSION.match(line)
        if match is None:
            found.append(
                f"Line {number}: expected '## [1.2.3] - 2026-01-31', found '{line}'."
                " Write the version and its date like that.")
            continue
        version = tuple(int(part) for part in match.groups()[:3])
        try:
            date = datetime.date.fromisoformat(match.group(4))
        except ValueError:
            found.append(f"Line {number}: expected a date, found {match.group(4)}. Correct it.")
            continue
        if previous is not None and not (version < previous[0] and date <= previous[1]):
            found.append(
                f"Line {number}: expected a version older than the one above it, found"
                f" {match.group(4)} and {line[4:line.index(']')]}. Put the newest first.")
        previous = (version, date)
    return found


def _entry_problems(lines):
    found, seen, kinds, section = [], {}, [], None
    for number, line in enumerate(lines, 1):
        if line.startswith("## "):
            section, kinds = line, []
        elif line.startswith("### ") and section is not None:
            kind = line[4:]
            if kind not in KINDS:
                found.append(
                    f"Line {number}: expected one of {', '.join(KINDS)}, found '{kind}'."
                    " Move its entries below one of them.")
            elif kind in kinds or any(KINDS.index(kind) < KINDS.index(each) for each in kinds):
                found.append(
                    f"Line {number}: '{kind}' is given twice, or behind a kind that comes after it."
                    f" The order is {', '.join(KINDS)}.")
            else:
                kinds.append(kind)
        elif line.startswith("- "):
            if not kinds:
                kinds = KINDS[:1]  # One report for each section is enough.
                found.append(
                    f"Line {number}: expected the entry below a heading such as '### Added',"
                    " found it below none. Add the heading.")
            if line in seen:
                found.append(
                    f"Line {number}: expected each entry once, found that of line {seen[line]}"
                    " again. Remove one.")
            seen.setdefault(line, number)
    return found


def _link_problems(lines, headings):
    links = {m.group(1): n for n, m in ((n, _LINK.match(l)) for n, l in enumerate(lines, 1)) if m}
    names = [m.group(1) for m in (re.match(r"## \[([^\]]+)\]", line) for _, line in headings) if m]
    found = [
        f"Expected a link '[{name}]: …' at the end, found none. Add it."
        for name in names if name not in links]
    found += [
        f"Line {number}: expected a section [{name}] for this link, found none. Remove it."
        for name, number in links.items() if name not in names]
    return found
