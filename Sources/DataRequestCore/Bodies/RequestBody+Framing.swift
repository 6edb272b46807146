#if RequestCore
import HTTPTypes
import SkiathosPlatformFoundation

extension RequestBody {
    /// The body with its stream counted; bytes in memory need no counting.
    func framed(by watch: BodyWatch) -> RequestBody {
        switch source {
        case .nothing, .bytes:
            watch.ended()
            return self
        case .stream, .prepared:
            let (body, length) = (self, length)
            var framed = self
            framed.source = .stream {
                guard let stream = try await body.open() else { return .empty }
                return ByteStream(
                    FramedBody(stream: stream, length: length, watch: watch), length: length)
            }
            return framed
        }
    }

    /// The body with its pieces reported, if there is a progress closure.
    func reporting(to progress: UploadProgress?) -> RequestBody {
        guard let progress else { return self }
        if case .nothing = source { return self }
        let (body, length) = (self, length)
        var reported = self
        reported.source = .stream {
            guard let stream = try await body.open() else { return .empty }
            return ByteStream(ReportedBody(stream: stream, progress: progress), length: length)
        }
        return reported
    }
}

extension OutgoingRequest {
    /// Names the type of the body, and refuses a header that announces another length.
    mutating func describe(_ body: RequestBody) throws {
        if case .nothing = body.source { return }
        if headers[.contentType] == nil { headers[.contentType] = body.contentType }
        guard let stated = headers[.contentLength] else { return }
        guard let length = body.length, stated == "\(length)" else {
            throw DataRequestError(
                .invalidBody,
                "The header Content-Length states another length than the body has; leave it out, "
                    + "or give the length to the body.")
        }
    }
}
#endif
