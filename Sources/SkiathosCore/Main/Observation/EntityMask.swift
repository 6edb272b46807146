/// A set of entities, by position in the schema, in one word.
///
/// Entities whose positions are 64 apart share a bit, so a set may hold too many of them, and
/// never too few: it answers whether something may have changed.
struct EntityMask: OptionSet, Sendable, Hashable {
    let rawValue: UInt64

    /// All entities.
    static let all = EntityMask(rawValue: .max)

    init(rawValue: UInt64) { self.rawValue = rawValue }

    init(entity: Int) { rawValue = 1 << UInt64(entity % UInt64.bitWidth) }

    /// Whether an entity may be in the set.
    func contains(entity: Int) -> Bool { contains(EntityMask(entity: entity)) }
}
