#if Requests
import AsyncHTTPClient
import DataRequestCore
import HTTPTypes
import NIOCore
import NIOHTTP1
import SkiathosPlatformFoundation

extension HTTPClientRequest {
    init(_ request: OutgoingRequest, feed: RequestFeed?) {
        self.init(url: request.url.absoluteString)
        method = NIOHTTP1.HTTPMethod(rawValue: request.method.rawValue)
        headers.reserveCapacity(request.headers.count + 2)
        for field in request.headers { headers.add(name: field.name.rawName, value: field.value) }
        if let feed {
            body = .stream(feed, length: request.body.length.map { .known($0) } ?? .unknown)
        } else if case .bytes(let data) = request.body.source, !data.isEmpty {
            body = .bytes(ByteBuffer(bytes: data))
        }
    }
}

extension HTTPClientResponse {
    func incoming(_ exchange: Exchange, request: OutgoingRequest) throws -> IncomingResponse {
        let code = Int(status.code)
        guard (100...999).contains(code) else {
            throw DataRequestError(
                .malformedResponse, "\(exchange.label) was answered with the status \(code).")
        }
        let reason = status.reasonPhrase
        return IncomingResponse(
            url: request.url,
            status: HTTPResponse.Status(
                code: code,
                reasonPhrase: reason.utf8.allSatisfy { $0 >= 32 || $0 == 9 } ? reason : ""),
            headers: try fields(exchange.label),
            body: ByteStream(ResponsePieces(exchange: exchange), length: length(request.method)))
    }

    private func fields(_ label: ExchangeLabel) throws -> HTTPFields {
        var fields = HTTPFields()
        fields.reserveCapacity(headers.count)
        for (name, value) in headers {
            guard let name = HTTPField.Name(name) else {
                throw DataRequestError(
                    .malformedResponse, "\(label) was answered with a header of an invalid name.")
            }
            fields.append(HTTPField(name: name, value: value))
        }
        return fields
    }

    /// The length of the body by its headers, which the client enforces.
    private func length(_ method: HTTPRequest.Method) -> Int64? {
        if method == .head || status == .noContent || status == .notModified { return 0 }
        guard headers.first(name: "transfer-encoding") == nil else { return nil }
        return headers.first(name: "content-length").flatMap { Int64($0) }.flatMap {
            $0 < 0 ? nil : $0
        }
    }
}
#endif
