#if RequestCore
import SkiathosPlatformFoundation

/// A multipart body for one attempt: its files are open, and its length is known.
struct OpenedMultipart: Sendable {
    /// Bytes that follow each other.
    enum Segment: Sendable {
        case data(Data)
        case file(ReadableFile, label: String)
    }

    private(set) var segments: [Segment] = []
    private(set) var length: Int64 = 0

    init(_ body: MultipartBody) async throws {
        guard !body.parts.isEmpty else {
            throw DataRequestError(
                .invalidBody, "The multipart body has no parts; add one, or send no body.")
        }
        for part in body.parts {
            append(Data("--\(body.boundary)\r\n".utf8) + part.head)
            switch part.content {
            case .data(let data): append(data)
            case .file(let url, let allowsEmpty):
                let label = "The file of the part \"\(MultipartBody.Part.escaped(part.name))\""
                let file = try await RequestBody.openedFile(
                    url, label: label, allowsEmpty: allowsEmpty)
                segments.append(.file(file, label: label))
                length += file.version.size
            }
            append(Data("\r\n".utf8))
        }
        append(Data("--\(body.boundary)--\r\n".utf8))
    }

    /// The body of the attempt, whose stream can be opened again and gives the same bytes.
    var body: RequestBody {
        let stream = ByteStream(MultipartStream(segments: segments), length: length)
        return RequestBody(.stream { stream }, length: length)
    }

    private mutating func append(_ data: Data) {
        length += Int64(data.count)
        // Small pieces are joined, so that not every line becomes a packet.
        if case .data(let last) = segments.last, last.count + data.count <= FileStream.pieceSize {
            segments[segments.count - 1] = .data(last + data)
        } else if !data.isEmpty {
            segments.append(.data(data))
        }
    }
}

/// The segments of a multipart body, one after the other.
struct MultipartStream: AsyncSequence, Sendable {
    typealias Element = Data

    let segments: [OpenedMultipart.Segment]

    struct AsyncIterator: AsyncIteratorProtocol {
        private var rest: ArraySlice<OpenedMultipart.Segment>
        private var file: FileStream.AsyncIterator?

        init(_ segments: [OpenedMultipart.Segment]) { rest = segments[...] }

        mutating func next() async throws -> Data? {
            while true {
                if let piece = try await file?.next() { return piece }
                file = nil
                switch rest.popFirst() {
                case nil: return nil
                case .data(let data): return data
                case .file(let opened, let label):
                    file = FileStream(file: opened, label: label).makeAsyncIterator()
                }
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(segments) }
}
#endif
