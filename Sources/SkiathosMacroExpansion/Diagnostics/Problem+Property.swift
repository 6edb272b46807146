#if Macros
/// Problems of properties.
extension Problem {
    /// - Parameter type: The name of a type that may be another entity, where the property should
    ///   hold the ID.
    static func noDefault(property: String, isReference: Bool, type: String?) -> Problem {
        let advice =
            isReference
            ? "Write '= .unassigned' and set it before the write ends, or make it optional."
            : "Give it one, or make it optional."
        let hint =
            type.map {
                " If '\($0)' is an entity, refer to it by its ID: 'var \(property): \($0).ID = .unassigned'."
            } ?? ""
        return Problem(
            "noDefault",
            "'\(property)' needs a default so that create(in:) can make a new entity. \(advice)\(hint)"
        )
    }

    static func noType(property: String) -> Problem {
        Problem(
            "noType",
            "The type of '\(property)' does not show in its default. Annotate it, so that @Entity knows how to store it."
        )
    }

    static func unsupportedType(_ type: String, _ reason: String, property: String) -> Problem {
        Problem(
            "unsupportedType",
            "'\(property)' cannot be stored in a column: '\(type)' is \(reason). Use a Codable struct or another type that can be stored, or mark the property @Transient."
        )
    }

    static let tuplePattern = Problem(
        "tuplePattern",
        "@Entity expects one name for each property; found a tuple. Declare the properties one by one."
    )

    static func constant(property: String) -> Problem {
        Problem(
            "constant",
            "'\(property)' is a constant, but the values of columns are read and changed. Make it a var, or mark it @Transient."
        )
    }

    static func modifier(_ modifier: String, property: String) -> Problem {
        Problem(
            "modifier",
            "A column keeps a plain value; '\(property)' is \(modifier). Remove the modifier, or mark the property @Transient."
        )
    }

    static func unknownAttribute(_ attribute: String, property: String) -> Problem {
        Problem(
            "unknownAttribute",
            "A column keeps a plain value; @\(attribute) may put something else in the place of '\(property)'. Remove it, or mark the property @Transient."
        )
    }

    static let conditional = Problem(
        "conditional",
        "@Entity cannot tell whether this property will be compiled, so it cannot be a column. Move it out of #if, or mark it @Transient."
    )

    static func shadowed(property: String) -> Problem {
        Problem(
            "shadowed",
            "The objects of a write have a member '\(property)' of their own, which would hide this column. Give it another name."
        )
    }

    static func noKeyPath(property: String) -> Problem {
        Problem(
            "noKeyPath",
            "'\(property)' means something else where key paths and types are read, so no column can have this name. Give it another name."
        )
    }

    static func wrongID(name: String) -> Problem {
        Problem(
            "wrongID",
            "'id' is the ID of the entity and must be declared as 'var id: \(name).ID = .unassigned', or not at all. Give a property of another kind another name, and choose the type of the keys with @Entity(id:)."
        )
    }

    static func computedID(name: String) -> Problem {
        Problem(
            "computedID",
            "'id' is the ID of the entity and must be stored; this one is computed. Declare 'var id: \(name).ID = .unassigned', or leave it to @Entity."
        )
    }

    static let constantID = Problem(
        "constantID",
        "'id' must be a var, since insert(_:in:) gives the ID to a new value. Replace 'let' by 'var'."
    )

    static let noDefaultID = Problem(
        "noDefaultID",
        "'id' needs the default '.unassigned' so that create(in:) can make a new entity.")
}
#endif
