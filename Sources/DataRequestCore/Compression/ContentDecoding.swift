#if RequestCore
import HTTPTypes

/// Asks for compressed answers and decompresses what comes.
struct ContentDecoding: RequestInterceptor {
    let limits: Decompression

    func intercept(_ request: OutgoingRequest, next: Next) async throws -> IncomingResponse {
        var request = request
        let asksItself = request.headers[.acceptEncoding] != nil
        // The ranges of a compressed body are not those of the file.
        if !asksItself, request.headers[.range] == nil {
            request.headers[.acceptEncoding] = "gzip, deflate"
        }
        var response = try await next(request)
        guard let header = response.headers[.contentEncoding], hasBody(response, request) else {
            return response
        }
        let codings: [ContentCoding]
        do {
            codings = try ContentCoding.codings(of: header)
        } catch {
            // Whoever asks for an encoding by name may understand it, and a failure is told by its
            // status, which says more than the encoding of its page.
            if asksItself || !(200..<300).contains(response.status.code) { return response }
            throw error
        }
        for coding in codings.reversed() {
            response.body = ByteStream(
                InflatedBody(stream: response.body, coding: coding, limits: limits))
        }
        response.describeDecoded(header)
        return response
    }

    /// The bodies of these have no bytes, or not those of the whole.
    private func hasBody(_ response: IncomingResponse, _ request: OutgoingRequest) -> Bool {
        request.method != .head && ![204, 206, 304].contains(response.status.code)
            && response.body.length != 0
    }
}

extension IncomingResponse {
    /// Takes away the headers that described the encoded body.
    fileprivate mutating func describeDecoded(_ encoding: String) {
        let stated = headers[.contentLength].flatMap { Int64($0) }
        decodedContent = DecodedContent(encoding: encoding, encodedLength: stated)
        headers[.contentEncoding] = nil
        headers[.contentLength] = nil
    }
}
#endif
