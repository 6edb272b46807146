package import SkiathosStore

/// A reader that does what another one does, but for what it implements itself.
package protocol ForwardingReader: StoreReader {
    var base: any StoreReader { get }
}

extension ForwardingReader {
    package func read(_ body: (any StoreSession) throws -> Void) throws { try base.read(body) }
    package func interrupt() { base.interrupt() }
    package var supportsCancellationChecks: Bool { base.supportsCancellationChecks }
    package func reserve() -> ReadReservation? { base.reserve() }

    package func readReserved(_ body: (any StoreSession) throws -> Void) throws {
        try base.readReserved(body)
    }

    package func readEarlier(
        _ body: (_ session: any StoreSession, _ version: UInt64) throws -> Void
    ) throws {
        try base.readEarlier(body)
    }

    package func endReservation(discarding: Bool) { base.endReservation(discarding: discarding) }
}
