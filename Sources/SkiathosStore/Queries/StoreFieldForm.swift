/// The form in which a field of a JSON object is read.
public enum StoreFieldForm: Sendable, Hashable, CaseIterable {
    /// As an integer; `true` is 1 and `false` is 0.
    case integer
    /// As the floating point number that is nearest to the digits.
    case real
    /// As the text that a JSON string stands for.
    case text
    /// As JSON text, for a value of any type.
    case json

    /// The storage class of the result.
    public var storage: StorageClass {
        switch self {
        case .integer: .integer
        case .real: .real
        case .text, .json: .text
        }
    }
}
