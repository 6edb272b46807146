extension ObservedQuery {
    /// The rows in sections: at first as they are, and then whenever a commit has changed them.
    ///
    /// ```swift
    /// for try await sections in dal.observe(Item.order { $0.title }).sections(by: \.priority) {
    ///     for section in sections { print(section.key, section.rows.map(\.title)) }
    /// }
    /// ```
    ///
    /// Sections have the order in which the first row of each is in the list: sort by the key first to
    /// have them in its order. The list is not read again where ``differences`` need not; grouping
    /// takes time for each row.
    ///
    /// - Parameter key: What the rows of a section have in common: a key path, or a closure that
    ///   depends on the row alone.
    public func sections<Key: Hashable & Sendable>(
        by key: @escaping @Sendable (E) -> Key
    ) -> ObservedSections<Key, E> {
        ObservedSections(differences: SectionDifferences(rows: differences, key: key))
    }
}

/// The rows of a query in sections, from ``ObservedQuery/sections(by:)``.
public struct ObservedSections<Key: Hashable & Sendable, E: Entity>: AsyncSequence, Sendable {
    /// The sections as differences, each of which leads from those before to the next ones.
    ///
    /// The first one leads from no sections to the present ones, and comes also if there are none.
    public let differences: SectionDifferences<Key, E>

    /// Creates an iterator, which reads when its first value is requested.
    public func makeAsyncIterator() -> Iterator {
        Iterator(differences: differences.makeAsyncIterator())
    }

    /// Returns the present sections, and then each other ones.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var differences: SectionDifferences<Key, E>.Iterator

        /// Returns the present sections at first, then waits until there are others.
        ///
        /// - Returns: `nil` when the data access layer is closed or the task cancelled.
        /// - Throws: What the first read throws. The errors of later ones are reported to the
        ///   error handler of the configuration, and the list is read again at the next change.
        public mutating func next() async throws -> [ListSection<Key, E>]? {
            guard try await differences.next() != nil else { return nil }
            return differences.sections
        }
    }
}

/// The sections of a query as differences, from ``ObservedSections/differences``.
public struct SectionDifferences<Key: Hashable & Sendable, E: Entity>: AsyncSequence, Sendable {
    fileprivate let rows: ListDifferences<E>
    fileprivate let key: @Sendable (E) -> Key

    /// Creates an iterator, which reads when its first difference is requested.
    public func makeAsyncIterator() -> Iterator {
        Iterator(differences: rows.makeAsyncIterator(), key: key)
    }

    /// Returns one difference after the other.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var differences: ListDifferences<E>.Iterator
        fileprivate let key: @Sendable (E) -> Key
        private var rows: [E] = []
        private var hasBegun = false
        /// The sections that the differences have made so far.
        fileprivate private(set) var sections: [ListSection<Key, E>] = []

        fileprivate init(
            differences: ListDifferences<E>.Iterator, key: @escaping @Sendable (E) -> Key
        ) {
            self.differences = differences
            self.key = key
        }

        /// Waits until the sections differ from the last ones.
        ///
        /// - Returns: `nil` when the data access layer is closed or the task cancelled.
        /// - Throws: What the first read throws. The errors of later ones are reported to the
        ///   error handler of the configuration, and the list is read again at the next change.
        public mutating func next() async throws -> SectionDifference<Key, E>? {
            while let difference = try await differences.next() {
                difference.apply(to: &rows)
                let new = ListSection.sections(of: rows, by: key)
                let difference = SectionDifference(from: sections, to: new)
                sections = new
                // Rows of different sections may have changed places.
                if hasBegun, difference.isEmpty { continue }
                hasBegun = true
                return difference
            }
            return nil
        }
    }
}
