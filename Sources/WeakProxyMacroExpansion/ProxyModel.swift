#if Macros
/// The parts of a protocol that its proxy needs.
struct ProxyModel {
    let name: String
    /// `public `, `package ` and so on, or nothing.
    let access: String
    /// Attributes of the protocol that its proxy shares, such as a global actor.
    let attributes: [String]
    /// Whether only classes conform, so that the proxy must be one.
    let isOfClasses: Bool
    var functions: [FunctionModel] = []
    var properties: [PropertyModel] = []
}

/// What a member does once the object is gone.
enum Ending: Equatable {
    case throwing
    case nothing
    case value(String)
}

struct FunctionModel {
    let attributes: [String]
    /// Everything before the body, without attributes.
    let signature: String
    let name: String
    /// The arguments of the call to the object.
    let arguments: [String]
    let isAsync: Bool
    let isThrowing: Bool
    let ending: Ending
}

struct PropertyModel {
    let attributes: [String]
    let name: String
    let type: String
    let isAsync: Bool
    /// `throws` as it is written, or nothing.
    let throwing: String
    let isSettable: Bool
    /// Whether the setter is mutating, as far as the protocol tells.
    let setsByMutation: Bool
    let ending: Ending
}
#endif
