#if RequestCore
package import SkiathosPlatformFoundation

extension DataRequestService {
    /// The current address below which paths are resolved.
    package var baseAddress: URL { registry.environment.environment.baseURL }
}
#endif
