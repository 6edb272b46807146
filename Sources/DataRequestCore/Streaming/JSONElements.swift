#if RequestCore
public import SkiathosPlatformFoundation

/// The elements of an answer, decoded while it streams in.
///
/// At most one element and one piece of the body are in memory at a time. Bytes are only read
/// when the next element is requested. The request is sent when the first element is
/// requested, and again for each iterator. Leaving the loop ends the exchange.
public struct JSONElements<Element: Decodable & Sendable>: AsyncSequence, Sendable {
    private let open: @Sendable () async throws -> IncomingResponse
    private let place: ElementPlace
    private let limits: ElementLimits
    private let decoder: JSONDecoder

    init(
        at place: ElementPlace, limits: ElementLimits, decoder: JSONDecoder,
        open: @escaping @Sendable () async throws -> IncomingResponse
    ) {
        self.open = open
        self.place = place
        self.limits = limits
        self.decoder = decoder
    }

    /// Makes an iterator, which sends the request when the first element is requested.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(open: open, place: place, limits: limits, decoder: decoder)
    }

    /// Returns one element after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let open: @Sendable () async throws -> IncomingResponse
        let place: ElementPlace
        let limits: ElementLimits
        let decoder: JSONDecoder
        private var reader: JSONElementReader?
        private var isOver = false

        init(
            open: @escaping @Sendable () async throws -> IncomingResponse, place: ElementPlace,
            limits: ElementLimits, decoder: JSONDecoder
        ) {
            self.open = open
            self.place = place
            self.limits = limits
            self.decoder = decoder
        }

        /// The next element, or nil at the end of a document that is whole.
        ///
        /// - Throws: `DataRequestError` with code `undecodable` for a body that is not the
        ///   expected JSON, `malformedResponse` if it ends too early, `tooLarge` beyond a
        ///   limit, and what sending a request throws. After an error the sequence is over.
        public mutating func next() async throws -> Element? { try await next(isolation: nil) }

        /// The next element, or nil at the end of a document that is whole.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws -> Element? {
            guard !isOver else { return nil }
            do {
                // Taken, so that its buffers have one owner and are not copied; an error ends
                // it.
                var reader = reader.take()
                if reader == nil {
                    reader = JSONElementReader(try await open().body, at: place, limits: limits)
                }
                guard let element = try await reader?.next(isolation: actor) else {
                    (self.reader, isOver) = (reader, true)
                    return nil
                }
                self.reader = reader
                return try decoder.decode(Element.self, from: element)
            } catch {
                isOver = true
                throw error
            }
        }

        /// Everything around the elements, with an empty array in their place, such as
        /// `{"items": [], "next": "…"}`; nil until `next()` has returned nil.
        public var envelope: Data? { reader?.envelope }
    }
}

extension JSONDecoder {
    /// Decodes an element; errors name its place, but none of its values.
    package func decode<Value: Decodable>(
        _ type: Value.Type, from element: JSONElement
    ) throws -> Value {
        do { return try decode(type, from: element.bytes) } catch let error as DecodingError {
            throw DataRequestError(
                .undecodable,
                "The element at byte \(element.offset) of the answer is not of type \(type): \(error.problem). Compare the type with what the server sends."
            )
        }
    }
}

extension DecodingError {
    /// The missing or mistyped part, without values.
    var problem: String {
        switch self {
        case .keyNotFound(let key, let context):
            "the key \(Self.path(context.codingPath + [key])) is missing"
        case .typeMismatch(let type, let context):
            "\(Self.path(context.codingPath)) is not of type \(type)"
        case .valueNotFound(let type, let context):
            "\(Self.path(context.codingPath)) is null where a \(type) is needed"
        case .dataCorrupted(let context):
            "\(Self.path(context.codingPath)) has a value that the type does not accept"
        @unknown default: "it could not be decoded"
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        guard !keys.isEmpty else { return "it" }
        return keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}
#endif
