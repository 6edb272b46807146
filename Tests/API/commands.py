"""What `make api` and `make api-record` do with the surfaces of today and a baseline."""

import changelog
import comparison
import toolchain


def check(tools, baseline, surfaces, text):
    """Raises a problem that says what has to be done, or says that nothing has."""
    comparisons = _compare(tools, baseline, surfaces)
    found = [each.describe() for each in comparisons]
    demands = [f"CHANGELOG.md: {each}" for each in changelog.problems(text)]
    demands += comparison.demand(comparisons, baseline.notes(), text, tools.version)
    if demands:
        raise toolchain.Problem("\n".join(found + demands))
    lines = sum(len(each.lines) for each in surfaces.values())
    return f"The {lines} public declarations of {len(surfaces)} modules are those of the baseline."


def record(tools, baseline, surfaces, text):
    """Writes the surfaces, unless they break what the changelog does not announce."""
    comparisons = _compare(tools, baseline, surfaces)
    notes = baseline.notes()
    breaking = [f"{each.module}: {line}" for each in comparisons for line in each.breaking]
    if breaking and not changelog.announces_breaking(text):
        raise toolchain.Problem("\n".join(
            [each.describe() for each in comparisons]
            + comparison.demand(comparisons, notes, text, tools.version)))
    for each in comparisons:
        if each.module in surfaces:
            baseline.record(each.module, surfaces[each.module])
        else:
            baseline.remove(each.module)
    release = changelog.newest_release(text)
    since = notes["breaking"] if notes["release"] == release else []
    since += [line for line in breaking if line not in since]
    baseline.write_notes({"breaking": since, "compiler": tools.version, "release": release})
    return f"Recorded {len(comparisons)} modules in {baseline.folder}."


def _compare(tools, baseline, surfaces):
    """The comparison of each module that has changed."""
    recorded = baseline.modules()
    found = []
    for module in sorted({*surfaces, *recorded}):
        old = baseline.surface(module) if module in recorded else comparison.EMPTY
        new = surfaces.get(module, comparison.EMPTY)
        found.append(comparison.Comparison(module, old, new, tools))
    return [each for each in found if not each.is_empty]
