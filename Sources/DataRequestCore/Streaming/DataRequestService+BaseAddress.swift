#if RequestCore
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension DataRequestService {
    /// The address below which paths are resolved at this moment.
    package var baseAddress: URL { registry.environment.environment.baseURL }
}
#endif
