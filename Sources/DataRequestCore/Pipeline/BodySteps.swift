#if RequestCore
/// The steps that frame bodies on their way out and decompress them on their way in, the last
/// before the transport.
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
