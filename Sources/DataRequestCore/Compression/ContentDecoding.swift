#if RequestCore
import HTTPTypes

/// Requests compressed responses and decompresses them.
struct ContentDecoding: RequestInterceptor {
    let limits: Decompression

    func intercept(_ request: OutgoingRequest, next: Next) async throws -> IncomingResponse {
        var request = request
        let asked = request.headers[.acceptEncoding]
        // The ranges of a compressed body are not those of the file.
        if asked == nil, request.headers[.range] == nil {
            request.headers[.acceptEncoding] = "gzip, deflate"
        }
        var response = try await next(request)
        // A caller that names encodings decodes them. One that wants none, as a download does, is
        // not given what a server has encoded nevertheless.
        if let asked, !asked.trimmed.lowercased().equals("identity") { return response }
        guard let header = response.headers[.contentEncoding], hasBody(response, request) else {
            return response
        }
        let codings: [ContentCoding]
        do {
            codings = try ContentCoding.codings(of: header)
        } catch {
            // A caller that wants no encoding may know this one. A failed status is reported by
            // the status, which says more than the encoding of its body.
            if asked != nil || !(200..<300).contains(response.status.code) { return response }
            throw error
        }
        if !codings.isEmpty {
            response.body = ByteStream(
                InflatedBody(stream: response.body, codings: codings.reversed(), limits: limits))
        }
        response.describeDecoded(header)
        return response
    }

    /// Whether the body has bytes, and those of the whole representation.
    private func hasBody(_ response: IncomingResponse, _ request: OutgoingRequest) -> Bool {
        request.method != .head && ![204, 206, 304].contains(response.status.code)
            && response.body.length != 0
    }
}

extension IncomingResponse {
    /// Removes the headers that describe the encoded body.
    fileprivate mutating func describeDecoded(_ encoding: String) {
        let stated = headers[.contentLength].flatMap { Int64($0) }
        decodedContent = DecodedContent(encoding: encoding, encodedLength: stated)
        headers[.contentEncoding] = nil
        headers[.contentLength] = nil
    }
}
#endif
