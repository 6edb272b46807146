import SkiathosStore
import Synchronization

extension AccessCoordinator {
    /// Runs a closure as a read, blocking the thread while every connection is in use.
    func read<R>(_ body: (ReadContext) throws -> R) throws -> R {
        try requireUsable(for: .read)
        try readGate.enter()
        defer { leaveReadGate() }
        return try runRead(nil, body)
    }

    /// Runs a closure as a read; waiting for a connection blocks no thread.
    func read<R: Sendable>(_ body: @Sendable (ReadContext) throws -> R) async throws -> R {
        try requireUsable(for: .read)
        try await readGate.enter()
        defer { leaveReadGate() }
        return try await interruptible { try runRead($0, body) }
    }

    private func leaveReadGate() {
        if readGate === turn { rootWriter.leaveTurn() } else { readGate.leave() }
    }

    private func runRead<R>(
        _ interruption: Interruption?, _ body: (ReadContext) throws -> R
    ) throws -> R {
        guard let reader = freeReaders.withLock({ $0.popLast() }) else {
            preconditionFailure("A read was admitted although every connection is in use.")
        }
        defer { freeReaders.withLock { $0.append(reader) } }
        do {
            if readGate !== turn { try rootWriter.commitForRead() }
            try interruption?.begin(reader)
            let result = try run(.read) {
                try reader.read { session in
                    let context = ReadContext(
                        schema: store.schema, session: session, interruption: interruption,
                        stop: rootWriter.stop)
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
