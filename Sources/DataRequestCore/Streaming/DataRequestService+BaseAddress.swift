#if RequestCore
package import PlatformFoundation

extension DataRequestService {
    /// The address below which paths are resolved at this moment.
    package var baseAddress: URL { registry.environment.environment.baseURL }
}
#endif
