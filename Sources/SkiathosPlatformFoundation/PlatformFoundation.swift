/// The part of Foundation without localization and networking: FoundationEssentials where the platform
/// has it, which links less into a program, else all of Foundation.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
