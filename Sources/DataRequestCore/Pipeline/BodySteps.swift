#if RequestCore
/// The last steps before the transport: frame request bodies and decompress response bodies.
enum BodySteps {
    static func interceptors(
        for configuration: DataRequestService.Configuration
    ) -> [any RequestInterceptor] {
        let decoding = configuration.decompression
        return decoding.isEnabled
            ? [ContentDecoding(limits: decoding), BodyFraming()] : [BodyFraming()]
    }
}
#endif
