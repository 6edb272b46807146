public import SkiathosStore

/// The rows that a reference of the rows of a group leads to.
@usableFromInline
final class LoadedTargets<Target: Entity>: LoadedReference {
    // Both guarded by the context that the group belongs to.

    /// The values; none in a write, whose identity map has the objects.
    @exclusivity(unchecked) @usableFromInline var targets: [Target] = []
    /// Their positions by ID, ``nowhere`` for an ID without a row.
    @exclusivity(unchecked) @usableFromInline var positions = TargetPositions<Target.RawID>()

    /// The position of a row that does not exist.
    @inlinable static var nowhere: Int { -1 }

    /// The target with an ID, which may be none; `nil` if it was not looked up yet.
    @inlinable @inline(__always)
    subscript(key: Target.RawID) -> Target?? {
        guard let position = positions[key] else { return nil }
        return .some(position == Self.nowhere ? nil : targets[position])
    }
}

/// The IDs of targets that are to be loaded.
@usableFromInline
struct TargetRequest<Target: Entity> {
    /// The IDs that were looked up before, and those that are wanted.
    @usableFromInline var positions: TargetPositions<Target.RawID>
    /// The wanted IDs; each once after ``finish()``.
    @usableFromInline var keys: [Target.RawID] = []

    /// Begins with the targets that were loaded before.
    @inlinable
    init(after positions: TargetPositions<Target.RawID>, capacity: Int) {
        self.positions = positions
        keys.reserveCapacity(capacity)
    }

    /// Adds a target.
    @inlinable
    mutating func want(_ key: Target.RawID) { keys.append(key) }

    /// Leaves out the targets that were looked up before, but for one that is looked up again.
    @inlinable
    mutating func finish(again: Target.RawID? = nil) {
        if let again { keys.append(again) }
        if positions.isEmpty { positions.prepare(for: keys) }
        let count = keys.withUnsafeMutableBufferPointer { keys in
            positions.update { positions in
                var count = 0
                for index in keys.indices
                where positions.add(keys[index], at: LoadedTargets<Target>.nowhere) {
                    keys[count] = keys[index]
                    count += 1
                }
                return count
            }
        }
        keys.removeLast(keys.count - count)
        guard let again, !keys.contains(where: { $0.identity == again.identity }) else { return }
        positions.update { $0.set(again, to: LoadedTargets<Target>.nowhere) }
        keys.append(again)
    }

    /// Records the rows that were found.
    @inlinable
    mutating func find(_ targets: [Target], after count: Int) {
        targets.withUnsafeBufferPointer { targets in
            positions.update { positions in
                for index in targets.indices {
                    positions.set(targets[index].id.rawValue, to: count + index)
                }
            }
        }
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
