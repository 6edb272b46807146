public import SkiathosStore

extension EntityColumn {
    /// What holds for a column beside its type.
    ///
    /// The attributes are those of the macros `@Unique`, `@Indexed`, `@Searchable`, `@References`
    /// and `@Renamed`.
    public struct Attribute: Sendable {
        /// The other properties of a unique key that begins with the column.
        private(set) var uniquePartners: [any PartialKeyPath<E> & Sendable]?
        private(set) var isIndexed = false
        private(set) var isSearchable = false
        private(set) var deleteRule: ColumnSchema.DeleteRule?
        private(set) var formerNames: [String] = []

        /// No two rows may have the same value in the column.
        ///
        /// Rows without a value do not count as the same. A write that would break the rule
        /// fails with `StoreError` and code `uniqueViolation`.
        public static var unique: Attribute {
            var attribute = Attribute()
            attribute.uniquePartners = []
            return attribute
        }

        /// No two rows may have the same values in the column and those of other properties.
        ///
        /// ```swift
        /// EntityColumn("edition", \.edition, .unique(with: \.title))
        /// // CREATE UNIQUE INDEX "book_unique_edition_title" ON "book" ("edition", "title")
        /// ```
        public static func unique(
            with others: any PartialKeyPath<E> & Sendable...
        ) -> Attribute {
            var attribute = Attribute()
            attribute.uniquePartners = others
            return attribute
        }

        /// The column has an index, so that conditions on it and sorting by it do not scan the
        /// table.
        ///
        /// References and unique columns have one anyway.
        public static var indexed: Attribute {
            var attribute = Attribute()
            attribute.isIndexed = true
            return attribute
        }

        /// The words of the column can be searched for; only for text.
        public static var searchable: Attribute {
            var attribute = Attribute()
            attribute.isSearchable = true
            return attribute
        }

        /// What happens to a row when the row that the column refers to is deleted.
        ///
        /// Without it, deletion clears an optional reference, and fails while another one
        /// exists.
        public static func references(onDelete rule: ColumnSchema.DeleteRule) -> Attribute {
            var attribute = Attribute()
            attribute.deleteRule = rule
            return attribute
        }

        /// The column had other names before; opening a store that has one of them renames the
        /// column.
        public static func renamed(from names: String...) -> Attribute {
            var attribute = Attribute()
            attribute.formerNames = names
            return attribute
        }
    }
}
