#if Macros
import SwiftSyntax

/// How far a declaration can be seen, the narrowest first.
enum AccessLevel: Int, Comparable {
    case `private`, `fileprivate`, `internal`, `package`, `public`

    /// Reads the level from modifiers; it is `nil` where none says it.
    ///
    /// `private(set)` says nothing about
    /// reading, and what is `private` in a struct can be seen in its extensions in the same file.
    init?(_ modifiers: DeclModifierListSyntax) {
        for modifier in modifiers where modifier.detail == nil {
            switch modifier.name.tokenKind {
            case .keyword(.private), .keyword(.fileprivate): self = .fileprivate
            case .keyword(.internal): self = .internal
            case .keyword(.package): self = .package
            case .keyword(.public), .keyword(.open): self = .public
            default: continue
            }
            return
        }
        return nil
    }

    /// The modifier with a space after it, or nothing for the level that needs none.
    var prefix: String {
        switch self {
        case .private: "private "
        case .fileprivate: "fileprivate "
        case .internal: ""
        case .package: "package "
        case .public: "public "
        }
    }

    static func < (left: AccessLevel, right: AccessLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}
#endif
