import ReliabilityKit
import SkiathosStore

extension StoreSource {
    /// The same place as if another backend kept it: it lends no connection.
    var ofAnotherBackend: StoreSource {
        mapped { ForwardingStore($0, session: { UnlentSession($0) }) }
    }
}

/// A session that has no connection to lend.
private final class UnlentSession: ForwardingSession {
    override func readNatively(_ body: (AnyObject?) throws -> Void) throws { try body(nil) }

    override func writeNatively(_ body: (AnyObject?) throws -> Void) throws -> NativeChanges {
        try body(nil)
        return NativeChanges(isChanged: false, highestIDs: [])
    }
}
