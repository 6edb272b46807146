#if RequestCore
public import HTTPTypes
public import SkiathosPlatformFoundation

/// A backend: its address, and the headers of every request to it.
public struct ServerEnvironment: Sendable {
    /// A name for people, such as `production`.
    public var name: String
    /// The address that paths are resolved below, such as `https://api.example.com/v1`.
    public var baseURL: URL
    /// Headers of every request to it; never sent to external hosts.
    public var headers: HTTPFields

    /// Makes an environment.
    ///
    /// - Parameters:
    ///   - name: A name for people.
    ///   - baseURL: An absolute `https` or `http` address without query, fragment and user.
    ///   - headers: Headers of every request to it.
    public init(_ name: String, baseURL: URL, headers: HTTPFields = [:]) {
        self.name = name
        self.baseURL = baseURL
        self.headers = headers
    }
}
#endif
