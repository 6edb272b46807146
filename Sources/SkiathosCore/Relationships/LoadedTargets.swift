public import SkiathosStore

/// The rows that a reference of the rows of a group leads to.
@usableFromInline
final class LoadedTargets<Target: Entity>: LoadedReference {
    // Both guarded by the context that the group belongs to.

    /// The values; none in a write, whose identity map has the objects.
    @exclusivity(unchecked) @usableFromInline var targets: [Target] = []
    /// Their positions by ID, ``nowhere`` for an ID without a row.
    @exclusivity(unchecked) @usableFromInline var positions: [Target.RawID.Identity: Int] = [:]

    /// The position of a row that does not exist.
    @inlinable static var nowhere: Int { -1 }

    /// The target with an ID, which may be none; `nil` if it was not looked up yet.
    @inlinable
    subscript(key: Target.RawID) -> Target?? {
        guard let position = positions[key.identity] else { return nil }
        return .some(position == Self.nowhere ? nil : targets[position])
    }
}

/// The IDs of targets that are to be loaded.
@usableFromInline
struct TargetRequest<Target: Entity> {
    /// The IDs that were looked up before, and those that are wanted.
    @usableFromInline var positions: [Target.RawID.Identity: Int]
    /// The wanted IDs, each once.
    @usableFromInline var keys: [Target.RawID] = []

    /// Begins with the targets that were loaded before.
    @inlinable
    init(after positions: [Target.RawID.Identity: Int], capacity: Int) {
        self.positions = positions
        if positions.isEmpty { self.positions.reserveCapacity(capacity) }
    }

    /// Adds a target, unless it was looked up before.
    @inlinable
    mutating func want(_ key: Target.RawID) {
        if Self.isNew(&positions[key.identity, default: .min]) { keys.append(key) }
    }

    /// Adds a target, even if it was looked up before.
    @inlinable
    mutating func wantAgain(_ key: Target.RawID) {
        if positions[key.identity] == nil || !keys.contains(where: { $0.identity == key.identity })
        {
            keys.append(key)
        }
        positions[key.identity] = LoadedTargets<Target>.nowhere
    }

    /// Records the positions of the rows that were found, which are appended to a list.
    @inlinable
    mutating func find(_ targets: [Target], after count: Int) {
        for (index, target) in targets.enumerated() {
            positions[target.id.rawValue.identity] = count + index
        }
    }

    /// With the position passed `inout`, the dictionary looks a key up once and not twice.
    @inlinable
    static func isNew(_ position: inout Int) -> Bool {
        guard position == .min else { return false }
        position = LoadedTargets<Target>.nowhere
        return true
    }

    /// The IDs as they are stored.
    @inlinable var ids: [StoreValue] {
        get throws { try keys.map { try $0.stored } }
    }
}

extension EntityKey {
    /// The key as it is stored.
    @inlinable var stored: StoreValue {
        get throws {
            if let number = self as? Int64 { return .integer(number) }
            return try StoreValue.capture { try bind(to: $0, at: 0) }
        }
    }
}
