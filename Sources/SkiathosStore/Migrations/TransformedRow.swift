/// The result of a migration step for a row.
public struct TransformedRow: Sendable {
    /// One value for each column of the entity.
    public var values: [StoreValue]
    /// The columns that the step has changed.
    public var changed: ColumnSet
    /// The columns without a value of the entity's type, which have its default in `values`.
    public var defaulted: ColumnSet

    /// Makes a row.
    ///
    /// - Parameters:
    ///   - values: One value for each column of the entity.
    ///   - changed: The columns that the step has changed.
    ///   - defaulted: The columns without a value of the entity's type, whose default the step
    ///     has kept.
    public init(
        _ values: [StoreValue], changed: ColumnSet, defaulted: ColumnSet = ColumnSet()
    ) {
        self.values = values
        self.changed = changed
        self.defaulted = defaulted
    }
}

extension StoreValue {
    /// Whether storing the other value instead would make no difference.
    package func isSameInStore(as other: StoreValue) -> Bool {
        switch (self, other) {
        case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
        default: self == other
        }
    }
}
