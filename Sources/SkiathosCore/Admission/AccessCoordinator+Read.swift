import SkiathosStore
import Synchronization

extension AccessCoordinator {
    /// Runs a closure as a read, blocking the thread while every connection is in use.
    func read<R>(_ place: SourcePlace, _ body: (ReadContext) throws -> R) throws -> R {
        try requireUsable(for: .read)
        try readGate.enter()
        defer { leaveReadGate() }
        return try runRead(place, nil, body)
    }

    /// Runs a closure as a read; waiting for a connection blocks no thread.
    func read<R: Sendable>(
        _ place: SourcePlace, _ body: @Sendable (ReadContext) throws -> R
    ) async throws -> R {
        try requireUsable(for: .read)
        try await readGate.enter()
        defer { leaveReadGate() }
        return try await interruptible { try runRead(place, $0, body) }
    }

    /// Commits the batch in the middle of a read, where both have the same connection.
    private func commitBatch(on session: any StoreSession) {
        // What cannot be committed is lost, which was reported; the read goes on.
        if let session = session as? any StoreWriteSession { rootWriter.commitBatch(session) }
    }

    private func leaveReadGate() {
        if readGate === turn { rootWriter.leaveTurn() } else { readGate.leave() }
    }

    private func runRead<R>(
        _ place: SourcePlace, _ interruption: Interruption?,
        _ body: (ReadContext) throws -> R
    ) throws -> R {
        let reader = readers.take(for: place)
        defer { readers.giveBack(reader) }
        do {
            if readGate !== turn { try rootWriter.commitForRead() }
            try interruption?.begin(reader.connection)
            let result = try run(.read) {
                try reader.connection.read { session in
                    let context = ReadContext(
                        schema: store.schema, session: session, interruption: interruption,
                        stop: rootWriter.stop,
                        commitBatch: readGate === turn ? { self.commitBatch(on: session) } : nil)
                    defer { context.end() }
                    return try body(context)
                }
            }
            try interruption?.settle()
            return result
        } catch {
            throw interruption?.translate(error) ?? error
        }
    }
}
