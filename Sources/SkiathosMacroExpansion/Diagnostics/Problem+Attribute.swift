#if Macros
/// Problems of the attributes of properties.
extension Problem {
    static func misplaced(_ attribute: String) -> Problem {
        Problem(
            "misplaced",
            "@\(attribute) belongs to a stored property of an entity. Remove it here.")
    }

    static func noEntity(_ attribute: String) -> Problem {
        Problem(
            "noEntity",
            "@\(attribute) has a meaning only for the properties of a struct marked @Entity. Mark the struct, or remove the attribute."
        )
    }

    static func unstored(_ attribute: String, kind: String) -> Problem {
        let instead =
            attribute == "Transient"
            ? "it is not stored anyway" : "this one is \(kind) and has no column"
        return Problem(
            "unstored", "@\(attribute) expects a stored property; \(instead). Remove the attribute."
        )
    }

    static func transientColumn(_ attribute: String, property: String) -> Problem {
        Problem(
            "transientColumn",
            "@\(attribute) asks something of the column of '\(property)', which @Transient says it does not have. Remove one of the two."
        )
    }

    static func duplicate(_ attribute: String) -> Problem {
        Problem(
            "duplicate", "@\(attribute) says what another attribute has said already. Remove it.")
    }

    static func attributeOnID(_ attribute: String) -> Problem {
        Problem(
            "attributeOnID",
            "The ID is always stored, unique and indexed; @\(attribute) has no meaning for it. Remove the attribute."
        )
    }

    static let uniqueNotLiteral = Problem(
        "uniqueNotLiteral",
        "@Unique(with:) expects the names of other properties as string literals.")

    static func uniqueUnknown(_ name: String, entity: String) -> Problem {
        Problem(
            "uniqueUnknown",
            "@Unique(with:) expects names of stored properties; '\(entity)' has none named '\(name)'."
        )
    }

    static func uniqueRepeats(_ name: String) -> Problem {
        Problem(
            "uniqueRepeats",
            "@Unique(with:) expects the names of other properties, each once; '\(name)' is in the key already. Remove it."
        )
    }

    static let uniqueWithID = Problem(
        "uniqueWithID",
        "The ID is unique alone, so any key that holds it is unique too. Remove it from @Unique(with:)."
    )

    static func notText(_ type: String, property: String) -> Problem {
        Problem(
            "notText",
            "@Searchable expects text, 'String' or 'String?'; '\(property)' is of type '\(type)'. Change the type, or remove the attribute."
        )
    }

    static func formerNameNotLiteral(_ attribute: String) -> Problem {
        Problem(
            "formerNameNotLiteral",
            "@\(attribute) expects string literals without interpolation, since the names must be known when the code is compiled."
        )
    }

    static func formerName(_ former: String, now: String) -> Problem {
        Problem(
            "formerName",
            "@Renamed(from:) expects names that '\(now)' had before, each once and not its present one or 'id'; found '\(former)'. Remove it."
        )
    }

    static func notAReference(_ type: String, property: String) -> Problem {
        Problem(
            "notAReference",
            "@References expects the ID of an entity, such as 'Company.ID?'; '\(property)' is of type '\(type)'. Change the type, or remove the attribute."
        )
    }

    static func nullifyRequired(property: String) -> Problem {
        Problem(
            "nullifyRequired",
            "'\(property)' becomes nil when its target is deleted, so it must be optional. Make it optional, or choose .cascade or .deny."
        )
    }
}
#endif
