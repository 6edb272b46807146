#if RequestCore
public import SkiathosPlatformFoundation

extension DataRequest {
    /// Sets the body to a value as JSON.
    ///
    /// ```swift
    /// let request = try DataRequest(.post, "tracks").json(track)   // {"title":"Solace"}
    /// ```
    ///
    /// - Throws: `DataRequestError.invalidBody`, which names the place of what cannot be encoded.
    public func json(
        _ value: some Encodable, encoder: JSONEncoder = JSONEncoder()
    ) throws -> DataRequest {
        body(try .json(value, encoder: encoder))
    }

    /// Sets the body to items as a form, such as `artist=Joplin&year=1909`.
    public func form(_ items: [QueryItem]) -> DataRequest { body(.form(items)) }

    /// Sets the body to the properties of a flat value as a form.
    ///
    /// - Throws: `DataRequestError.invalidBody` for a value in a value.
    public func form(_ value: some Encodable) throws -> DataRequest { body(try .form(value)) }

    /// Sets the body to the bytes of a file, which is read while it is sent.
    ///
    /// ```swift
    /// let answer = try await service.data(for: DataRequest(.put, "covers/7").upload(file: cover))
    /// // the bytes of the file go out; `answer` is what the server said to them
    /// ```
    ///
    /// Sending fails with `invalidBody` for a file that is missing, a directory or empty.
    public func upload(file url: URL, contentType: String? = nil) -> DataRequest {
        body(.file(url, contentType: contentType))
    }

    /// Compresses the body with gzip, which the server has to understand.
    ///
    /// Small bodies are compressed in memory and sent with their length. Others are compressed
    /// while they are sent. A request with a `Content-Encoding` of its own is left as it is.
    public func gzipped() -> DataRequest { changed { $0.options.compressesBody = true } }

    /// Reports how much of the body the transport has taken.
    ///
    /// ```swift
    /// request.onUploadProgress { sent, total in print(sent, total ?? -1) }   // 1048576 52428800 …
    /// ```
    ///
    /// Within an attempt, reports never decrease. They come at most once for every 64 KiB or
    /// hundredth of the whole, whichever is more. The last one, where `sent` is `total`, comes
    /// exactly once. Each attempt starts again at zero. Bytes are counted before compression.
    /// The total is nil while the length is unknown. The closure runs on the task that sends;
    /// it should be short.
    public func onUploadProgress(
        _ report: @escaping @Sendable (_ sent: Int64, _ total: Int64?) -> Void
    ) -> DataRequest {
        changed { $0.options.onUploadProgress = report }
    }

    /// Sets the largest answer that is held in memory, in bytes; larger ones fail with `tooLarge`.
    public func maximumBodySize(_ bytes: Int) -> DataRequest {
        changed { $0.options.maximumBodySize = bytes }
    }
}
#endif
