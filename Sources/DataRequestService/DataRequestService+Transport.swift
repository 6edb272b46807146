#if Requests
public import DataRequestCore

extension DataRequestService {
    /// Makes a service that sends its requests with AsyncHTTPClient.
    ///
    /// ```swift
    /// let service = try DataRequestService(
    ///     environment: ServerEnvironment("production", baseURL: url),
    ///     security: SecurityPolicy(cleartext: .refused))
    /// ```
    ///
    /// - Parameters:
    ///   - environment: The backend.
    ///   - security: Which servers are trusted, and how.
    ///   - connections: How connections are made and kept.
    ///   - configuration: The defaults of the service, which a request may override.
    /// - Throws: `invalidPolicy` if the policy's files cannot be read.
    public convenience init(
        environment: ServerEnvironment, security: SecurityPolicy = SecurityPolicy(),
        connections: AsyncHTTPTransport.Configuration = AsyncHTTPTransport.Configuration(),
        configuration: Configuration = Configuration()
    ) throws {
        try self.init(
            environment: environment,
            transport: AsyncHTTPTransport(security: security, configuration: connections),
            configuration: configuration)
    }
}
#endif
