#if RequestCore
public import HTTPTypes
public import SkiathosPlatformFoundation

/// The status and the headers of an answer.
public struct ResponseHead: Sendable {
    /// The address that answered.
    public var url: URL
    /// The status, such as 200.
    public var status: HTTPResponse.Status
    /// The headers.
    public var headers: HTTPFields

    /// Takes the head of an answer.
    public init(_ response: IncomingResponse) {
        url = response.url
        status = response.status
        headers = response.headers
    }
}
#endif
