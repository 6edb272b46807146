#if RequestCore
extension RequestBody {
    /// The parts of a form, such as fields and files.
    ///
    /// See ``MultipartBody`` for what is sent and what is refused. A body without parts is
    /// refused with `invalidBody`, since the format requires one.
    public static func multipart(_ body: MultipartBody) -> RequestBody {
        RequestBody(
            .prepared { try await OpenedMultipart(body).body },
            contentType: "multipart/form-data; boundary=\(body.boundary)", length: nil)
    }
}

extension DataRequest {
    /// Sets the body to the parts of a form.
    public func multipart(_ body: MultipartBody) -> DataRequest { self.body(.multipart(body)) }

    /// Sets the body to the parts that a closure adds.
    ///
    /// ```swift
    /// let request = try DataRequest(.post, "tracks").multipart { form in
    ///     form.add("title", text: "Solace")
    ///     form.add("cover", file: coverURL)
    /// }
    /// ```
    ///
    /// The closure is called once, before this function returns.
    ///
    /// - Throws: What the closure throws, such as `invalidBody` for a value without a form in JSON.
    public func multipart<Failure: Error>(
        _ build: (inout MultipartBody) throws(Failure) -> Void
    ) throws(Failure) -> DataRequest {
        var body = MultipartBody()
        try build(&body)
        return multipart(body)
    }
}
#endif
