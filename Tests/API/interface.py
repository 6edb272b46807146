"""The public declarations of a module, one line for each, from the text that
`swift-synthesize-interface` prints.

A line names its container, so that it does not matter in which extension a member stands:

    Acknowledgement | case committed
    Acknowledgement | conforms to Comparable
    Acknowledgement | public enum Acknowledgement
    Optional where Wrapped : ColumnValue | conforms to ColumnValue

What callers cannot notice is left out: comments, inlining, the access of a setter that is not
public, the implementation of a macro. Deprecations are left out as well, since a deprecated
declaration can still be called.
"""

import os
import re

MODULE = "(module)"
REQUIREMENT = "requires "
CONFORMANCE = "conforms to "

_TYPE = re.compile(r"(?:^|\s)(struct|enum|class|actor|protocol|extension)\s+([^\s<:{]+)")
_NAME = re.compile(
    r"(?:^|\s)(?:(?:func|var|let|case|typealias|associatedtype|macro|struct|enum|class|actor"
    r"|protocol|operator|precedencegroup)\s+([^\s(<:{]+)|(init|subscript)\b|conforms to (.*))")
_UNNOTICED = re.compile(
    r"@(?:inlinable|frozen|usableFromInline|_\w+(?:\([^)]*\))?)\s+"
    r"|\b(?:package|internal|fileprivate|private)\(set\)\s+")


def declarations(text):
    """The sorted lines of an interface."""
    lines, stack = set(), []
    for line in _statements(text):
        if line == "}":
            stack.pop()
            continue
        line = _noticed(line)
        container, is_protocol = stack[-1] if stack else (MODULE, False)
        header = _TYPE.search(line) if line.endswith("{") else None
        if header is None:
            if not line.startswith("deinit"):
                lines.add(f"{container} | {REQUIREMENT if is_protocol else ''}{line}")
            continue
        declared, inherited, condition = _split(line[:-1].strip())
        kind, name = header.groups()
        if kind == "extension":
            container = name + condition
        else:
            container = name if container == MODULE else f"{container}.{name}"
            if kind == "protocol":
                # A protocol that inherits more asks more of the types that conform to it.
                inherited, declared = [], line[:-1].strip()
            else:
                # A suppressed conformance is no conformance: to add it takes something away.
                kept = [each for each in inherited if each.startswith("~")]
                inherited = [each for each in inherited if not each.startswith("~")]
                declared += (" : " + ", ".join(kept) if kept else "") + condition
            lines.add(f"{container} | {declared}")
        lines.update(f"{container} | {CONFORMANCE}{each}" for each in inherited)
        stack.append((container, kind == "protocol"))
    assert not stack, "The braces of the interface do not match."
    return sorted(lines)


def key(line):
    """What stays the same when a declaration changes: its container and its name."""
    container, declaration = line.split(" | ", 1)
    name = _NAME.search(declaration)
    return container, next(filter(None, name.groups()), "") if name else declaration


def difference(old, new):
    """Lists of what was removed, of pairs of what was changed, and of what was added."""
    removed = sorted(set(old) - set(new))
    added = sorted(set(new) - set(old))
    changed = []
    for line in list(removed):
        twins = [each for each in added if key(each) == key(line)]
        if twins:
            twin = max(twins, key=lambda each: len(os.path.commonprefix([each, line])))
            changed.append((line, twin))
            removed.remove(line)
            added.remove(twin)
    return removed, changed, added


def _statements(text):
    """The lines without comments and imports, with attributes before their declaration."""
    pending, in_comment = "", False
    for line in map(str.strip, text.splitlines()):
        if in_comment or line.startswith("/*"):
            in_comment = "*/" not in line
            continue
        if not line or line.startswith(("//", "import ")):
            continue
        pending = f"{pending} {line}".strip()
        if not _attributes_end(pending):
            continue
        if _depth(pending) > 0 and not (pending.endswith("{") and _TYPE.search(pending)):
            continue
        yield pending
        pending = ""
    assert not pending, f"The interface ends within a declaration: {pending[:80]}"


def _attributes_end(line):
    """Whether something follows the attributes at the beginning of a line."""
    return _skip_attributes(line) < len(line)


def _skip_attributes(line):
    index = 0
    while True:
        attribute = re.compile(r"\s*@\w+(\()?").match(line, index)
        if attribute is None:
            return index
        index = attribute.end()
        if attribute.group(1):
            index = _closing(line, index)


def _closing(line, index):
    """The index behind the parenthesis that closes the one before `index`."""
    depth = 1
    for position, character in _code(line, index):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return position + 1
    return len(line)


def _code(line, start=0):
    """The characters of a line that are not in a literal text, with their indexes."""
    in_text, index = False, start
    while index < len(line):
        character = line[index]
        if in_text and character == "\\":
            index += 1
        elif character == '"':
            in_text = not in_text
        elif not in_text:
            yield index, character
        index += 1


def _depth(line):
    return sum((each == "{") - (each == "}") for _, each in _code(line))


def _noticed(line):
    """A line without what a caller cannot notice."""
    def available(match):
        arguments = match.group(1)
        if re.search(r"\bdeprecated\b", arguments):
            return ""
        return f"@available({re.sub(r', message: .*', '', arguments)}) "

    line = re.sub(r'@available\(((?:[^()"]|"(?:[^"\\]|\\.)*")*)\)\s+', available, line)
    line = re.sub(r" = #externalMacro\(.*\)$", "", line)
    return _UNNOTICED.sub("", line)


def _split(header):
    """The declaration, the types it inherits from, and its where clause, of a type's header."""
    depth, colon, where = 0, None, None
    for index, character in _code(header):
        depth += (character in "<([") - (character in ">)]")
        if depth == 0 and where is None:
            if colon is None and header.startswith(" : ", index):
                colon = index
            elif header.startswith(" where ", index):
                where = index
    end = len(header) if where is None else where
    condition = header[end:]
    if colon is None:
        return header[:end], [], condition
    return header[:colon], header[colon + 3:end].split(", "), condition
