#if RequestCore
public import SkiathosPlatformFoundation

extension RequestBody {
    /// The bytes of a file.
    ///
    /// ```swift
    /// let body = RequestBody.file(cover)   // PUT …, Content-Type: image/png, Content-Length: 52311
    /// ```
    ///
    /// The file is opened again for each attempt and read in pieces while it is sent, on threads of
    /// its own. A file that changes meanwhile fails the request before its last byte is sent.
    ///
    /// Sending fails with `invalidBody`, before anything is sent, if there is no file, or if it is
    /// a directory, something else that is not a regular file, or empty.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - contentType: The media type; guessed by the end of the name if nil.
    ///   - allowsEmpty: Whether an empty file is sent rather than refused.
    public static func file(
        _ url: URL, contentType: String? = nil, allowsEmpty: Bool = false
    ) -> RequestBody {
        let type = contentType ?? FileTypes.type(ofFile: url.lastPathComponent)
        return RequestBody(
            .prepared {
                let file = try await openedFile(url, label: "The file", allowsEmpty: allowsEmpty)
                let stream = ByteStream(
                    FileStream(file: file, label: "The file"), length: file.version.size)
                return RequestBody(.stream { stream }, length: file.version.size)
            }, contentType: type, length: nil)
    }

    /// Opens a file; the error of one that cannot be sent begins with `label`.
    static func openedFile(
        _ url: URL, label: String, allowsEmpty: Bool
    ) async throws -> ReadableFile {
        guard url.isFileURL else {
            throw DataRequestError(
                .invalidBody, "\(label) has an address that is not a file URL; expected file:///….")
        }
        let path = url.path
        let file = try await BlockingWork.run {
            do throws(ReadableFile.Refusal) {
                return try ReadableFile(path: path)
            } catch {
                throw DataRequestError(.invalidBody, "\(label) \(describe(error))")
            }
        }
        guard file.version.size > 0 || allowsEmpty else {
            throw DataRequestError(
                .invalidBody, "\(label) is empty; allow that if it is meant to be sent.")
        }
        return file
    }

    private static func describe(_ refusal: ReadableFile.Refusal) -> String {
        switch refusal {
        case .missing: "does not exist."
        case .directory: "is a directory; only regular files can be sent."
        case .special: "is not a regular file."
        case .unreadable(let failure): "cannot be opened: \(failure)."
        }
    }
}
#endif
