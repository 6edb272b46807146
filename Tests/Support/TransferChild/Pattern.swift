#if Requests
import Foundation

/// The bytes that both sides make for themselves: those below 251 over and over.
struct Pattern {
    private static let block = Data((0..<251 * 4178).map { UInt8($0 % 251) })
    private static let doubled = block + block

    private var offset = 0

    /// Whether the next bytes are these; compared by the system, since a debug build is slow.
    mutating func matches(_ piece: Data) -> Bool {
        var rest = piece[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.block.count)
            guard Self.doubled[offset..<offset + part.count] == part else { return false }
            offset = (offset + part.count) % Self.block.count
            rest = rest.dropFirst(part.count)
        }
        return true
    }

    /// The bytes in pieces, as many as wanted.
    struct Pieces: AsyncSequence, Sendable {
        var rest: Int64

        struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate var rest: Int64

            mutating func next() async -> Data? {
                guard rest > 0 else { return nil }
                let piece = Pattern.block.prefix(Int(clamping: rest))
                rest -= Int64(piece.count)
                return piece
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: rest) }
    }
}
#endif
