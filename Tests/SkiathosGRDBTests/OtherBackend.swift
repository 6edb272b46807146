import ReliabilityKit
import SkiathosStore

extension StoreSource {
    /// The same source as if it had another backend, which gives no access to a connection.
    var ofAnotherBackend: StoreSource {
        mapped { ForwardingStore($0, session: { UnlentSession($0) }) }
    }
}

/// A session that gives no access to a connection.
private final class UnlentSession: ForwardingSession {
    override func readNatively(_ body: (AnyObject?) throws -> Void) throws { try body(nil) }

    override func writeNatively(_ body: (AnyObject?) throws -> Void) throws -> NativeChanges {
        try body(nil)
        return NativeChanges(isChanged: false, highestIDs: [])
    }
}
