#if RequestCore
public import SkiathosPlatformFoundation

/// Bytes that arrive in pieces, and can be read once.
///
/// ```swift
/// for try await piece in response.body { hash.update(data: piece) }
/// ```
///
/// The sizes of the pieces have no meaning. Pieces are only received when they are read, so a
/// slow reader slows down the sender. Leaving the loop early ends the exchange.
public struct ByteStream: AsyncSequence, Sendable {
    /// A piece, never empty.
    public typealias Element = Data

    /// Returns the pieces; the type of the underlying iterator is erased by a closure.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let pull: (isolated (any Actor)?) async throws -> Data?

        init(pull: @escaping (isolated (any Actor)?) async throws -> Data?) { self.pull = pull }

        /// The next piece, or nil at the end.
        public mutating func next() async throws -> Data? { try await pull(nil) }

        /// The next piece, or nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
            try await pull(actor)
        }
    }

    /// The number of bytes, if the sender has stated it.
    public var length: Int64?
    private let make: @Sendable () -> AsyncIterator

    /// Makes a stream of the pieces of a sequence.
    ///
    /// - Parameters:
    ///   - pieces: The pieces; empty ones are skipped.
    ///   - length: The sum of their sizes in bytes, if it is known.
    public init<Pieces: AsyncSequence & Sendable>(_ pieces: Pieces, length: Int64? = nil)
    where Pieces.Element == Data {
        self.length = length
        make = {
            var iterator = pieces.makeAsyncIterator()
            return AsyncIterator { actor in
                while let piece = try await iterator.next(isolation: actor) {
                    if !piece.isEmpty { return piece }
                }
                return nil
            }
        }
    }

    init(length: Int64?, make: @escaping @Sendable () -> AsyncIterator) {
        self.length = length
        self.make = make
    }

    /// Makes a stream of bytes in memory.
    public init(_ data: Data) {
        length = Int64(data.count)
        make = {
            var rest: Data? = data.isEmpty ? nil : data
            return AsyncIterator { _ in
                defer { rest = nil }
                return rest
            }
        }
    }

    /// A stream without bytes.
    public static var empty: ByteStream { ByteStream(Data()) }

    /// Begins to read the stream.
    public func makeAsyncIterator() -> AsyncIterator { make() }
}
#endif
