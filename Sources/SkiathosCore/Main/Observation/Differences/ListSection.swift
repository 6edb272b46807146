/// The rows of a list that have the same key, in the order of the list.
///
/// ```swift
/// for try await sections in dal.observe(Item.order { $0.title }).sections(by: \.priority) {
///     for section in sections { print(section.key, section.rows.map(\.title)) }
/// }
/// ```
///
/// Sections have the order in which the first row of each is in the list. A section has a row at
/// least.
public struct ListSection<Key: Hashable & Sendable, E: Entity>: Sendable, Identifiable {
    /// What its rows have in common.
    public let key: Key
    /// The rows, in the order of the list.
    public internal(set) var rows: [E]

    /// The key.
    public var id: Key { key }

    /// The sections of a list.
    ///
    /// - Parameters:
    ///   - rows: The list.
    ///   - key: The key of a row.
    static func sections(of rows: [E], by key: (E) -> Key) -> [ListSection] {
        var sections: [ListSection] = []
        var indices: [Key: Int] = [:]
        for row in rows {
            let key = key(row)
            if let index = indices[key] {
                sections[index].rows.append(row)
            } else {
                indices[key] = sections.count
                sections.append(ListSection(key: key, rows: [row]))
            }
        }
        return sections
    }
}
