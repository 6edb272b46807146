import Skiathos

/// A search in a text.
struct MatchNode: TestNode {
    enum Kind: CaseIterable {
        case prefix, suffix, contains, isEmpty
        case sameButCase, otherButCase, prefixButCase, suffixButCase, containsButCase, amongButCase
    }

    let text: any OperandNode<String>
    let kind: Kind
    let pattern: String

    var description: String { "\(text).\(kind)(\(pattern.debugDescription))" }

    func native<R: ScopeEntity>(_ stack: Stack) -> Condition<R> {
        let text: ColumnExpression<R, String> = text.native(stack)
        return switch kind {
        case .prefix: text.hasPrefix(pattern)
        case .suffix: text.hasSuffix(pattern)
        case .contains: text.contains(pattern)
        case .isEmpty: text.isEmpty
        case .sameButCase: text.caseInsensitive == pattern
        case .otherButCase: text.caseInsensitive != pattern
        case .prefixButCase: text.caseInsensitive.hasPrefix(pattern)
        case .suffixButCase: text.caseInsensitive.hasSuffix(pattern)
        case .containsButCase: text.caseInsensitive.contains(pattern)
        case .amongButCase: text.caseInsensitive.in([pattern, "ZZ"])
        }
    }

    func holds(_ world: ScopeWorld, _ rows: [Int]) -> Bool {
        let found = text.value(world, rows)
        let (lower, part) = (found.lowercased(), pattern.lowercased())
        return switch kind {
        case .prefix: begins(found, pattern)
        case .suffix: ends(found, pattern)
        case .contains: includes(found, pattern)
        case .isEmpty: found.isEmpty
        case .sameButCase: lower.datum == part.datum
        case .otherButCase: lower.datum != part.datum
        case .prefixButCase: begins(lower, part)
        case .suffixButCase: ends(lower, part)
        case .containsButCase: includes(lower, part)
        case .amongButCase: lower.datum == part.datum || lower == "zz"
        }
    }
}

/// A search in a text that may be missing, where it is never found.
struct OptionalMatchNode: TestNode {
    enum Kind: CaseIterable { case prefix, suffix, contains, isEmpty, containsButCase }

    let text: any OperandNode<String?>
    let kind: Kind
    let pattern: String

    var description: String { "\(text).\(kind)(\(pattern.debugDescription))" }

    func native<R: ScopeEntity>(_ stack: Stack) -> Condition<R> {
        let text: ColumnExpression<R, String?> = text.native(stack)
        return switch kind {
        case .prefix: text.hasPrefix(pattern)
        case .suffix: text.hasSuffix(pattern)
        case .contains: text.contains(pattern)
        case .isEmpty: text.isEmpty
        case .containsButCase: text.caseInsensitive.contains(pattern)
        }
    }

    func holds(_ world: ScopeWorld, _ rows: [Int]) -> Bool {
        guard let found = text.value(world, rows) else { return false }
        return switch kind {
        case .prefix: begins(found, pattern)
        case .suffix: ends(found, pattern)
        case .contains: includes(found, pattern)
        case .isEmpty: found.isEmpty
        case .containsButCase: includes(found.lowercased(), pattern.lowercased())
        }
    }
}

// By scalars, as the store compares.

private func begins(_ text: String, _ part: String) -> Bool {
    text.unicodeScalars.starts(with: part.unicodeScalars)
}

private func ends(_ text: String, _ part: String) -> Bool {
    text.unicodeScalars.reversed().starts(with: part.unicodeScalars.reversed())
}

private func includes(_ text: String, _ part: String) -> Bool {
    let scalars = Array(text.unicodeScalars)
    return part.isEmpty
        || scalars.indices.contains { scalars[$0...].starts(with: part.unicodeScalars) }
}
