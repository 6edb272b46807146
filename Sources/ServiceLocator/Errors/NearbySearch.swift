import SkiathosLocks
import Synchronization

/// Finds registrations that the caller may have meant when nothing is registered for a key.
struct NearbySearch {
    private let key: ServiceKey
    private let scope: ServiceLocator
    private let known: [ServiceKey]

    init(_ key: ServiceKey, _ scope: ServiceLocator) {
        self.key = key
        self.scope = scope
        known = scope.scopes.flatMap { scope in scope.state.withLock { $0.keys } }
    }

    /// The same type under other names first, then names that are nearly the same; up to three.
    func suggestions() -> [String] {
        let sameType = known.filter { $0.type == key.type }
        let limit = max(2, key.typeName.count / 3)
        let alike = known.filter { $0.type != key.type }
            .map { (key: $0, distance: distance($0.typeName, key.typeName)) }
            .filter { $0.distance <= limit }
            .sorted { $0.distance < $1.distance }
        var texts: [String] = []
        for text in (sameType + alike.map(\.key)).map(\.description) where !texts.contains(text) {
            texts.append(text)
        }
        return Array(texts.prefix(3))
    }

    /// The registrations for other types whose service also has the requested type.
    ///
    /// Considers only services that are made: a conformance cannot be tested by names, and no
    /// service is made for a message.
    func fitting() -> [Registration] {
        scope.scopes.flatMap { scope in scope.state.withLock { $0.instances.built } }
            .filter { $0.registration.key.type != key.type && isFitting($0.box, key.metatype) }
            .map(\.registration)
    }

    private func isFitting<P>(_ box: ErasedBox, _ type: P.Type) -> Bool {
        (box as? any ServiceHolder)?.service is P
    }

    /// The name of a scope below that has the missing key.
    func scopeBelow() -> String? {
        var waiting = [scope]
        while let next = waiting.popLast() {
            let (has, children) = next.state.withLock { ($0[key] != nil, $0.children) }
            if has { return next.name }
            waiting += children
        }
        return nil
    }

    /// The edit distance: the number of characters to insert, remove or change.
    private func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right)
        var row = Array(0...right.count)
        for (i, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for j in right.indices {
                let change = diagonal + (character == right[j] ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(change, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[right.count]
    }
}
