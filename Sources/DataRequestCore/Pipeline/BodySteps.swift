/// The steps that frame bodies on their way out and decompress them on their way in, the last
/// before the transport.
enum BodySteps {
    static func interceptors(
        for configuration: DataRequestService.Configuration
    ) -> [any RequestInterceptor] {
        [BodyFraming()]
    }
}
