/// The key of a registration: a type and an optional name.
struct ServiceKey: Hashable, Sendable {
    let type: ObjectIdentifier
    let name: String?

    init(_ type: ObjectIdentifier, _ name: String?) {
        self.type = type
        self.name = name
    }

    /// The name of the type, without `any`.
    var typeName: String { String(describing: metatype) }

    /// The type itself.
    var metatype: Any.Type {
        // An identifier of a type is the address of its metadata, which is what a metatype is.
        unsafeBitCast(type, to: Any.Type.self)
    }
}

extension ServiceKey: CustomStringConvertible {
    var description: String { name.map { "\(typeName) '\($0)'" } ?? typeName }
}
