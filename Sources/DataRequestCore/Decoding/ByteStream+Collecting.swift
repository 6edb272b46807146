#if RequestCore
public import SkiathosPlatformFoundation

extension ByteStream {
    /// Reads all bytes, if they are not more than a limit.
    ///
    /// ```swift
    /// let body = try await response.body.collect(upTo: 1 << 20)
    /// ```
    ///
    /// - Parameter limit: How many bytes there may be.
    /// - Throws: `DataRequestError` with `tooLarge`, at once where the length is known beforehand,
    ///   or with `connectionLost` if fewer bytes came than were announced.
    public func collect(upTo limit: Int) async throws -> Data {
        if let length, length > Int64(limit) { throw Self.tooLarge(limit) }
        var data = Data()
        for try await piece in self {
            guard piece.count <= limit - data.count else { throw Self.tooLarge(limit) }
            data.append(piece)
        }
        guard let length, length != Int64(data.count) else { return data }
        throw DataRequestError(
            Int64(data.count) < length ? .connectionLost : .malformedResponse,
            "The answer has \(data.count) bytes, and \(length) were announced.", retry: .later)
    }

    private static func tooLarge(_ limit: Int) -> DataRequestError {
        DataRequestError(
            .tooLarge,
            "The answer has more than \(limit) bytes. Raise maximumBodySize, read it as a stream, "
                + "or download it to a file.")
    }
}
#endif
