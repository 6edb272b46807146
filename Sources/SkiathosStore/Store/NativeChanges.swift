/// The changes made by code that works with a backend's own connection.
public struct NativeChanges: Sendable, Hashable {
    /// Whether any row of any table may have changed.
    public var isChanged: Bool
    /// The largest integer ID that is stored now, by the position of the entity; 0 where IDs are
    /// not integers.
    ///
    /// Empty if nothing has changed.
    public var highestIDs: [Int64]

    /// Makes a report.
    public init(isChanged: Bool, highestIDs: [Int64]) {
        self.isChanged = isChanged
        self.highestIDs = highestIDs
    }
}

// Defaults for a backend without an accessible connection.
extension StoreSession {
    /// Passes `nil`.
    public func readNatively(_ body: (AnyObject?) throws -> Void) throws { try body(nil) }
}

extension StoreWriteSession {
    /// Passes `nil`.
    public func writeNatively(_ body: (AnyObject?) throws -> Void) throws -> NativeChanges {
        try body(nil)
        return NativeChanges(isChanged: false, highestIDs: [])
    }
}
