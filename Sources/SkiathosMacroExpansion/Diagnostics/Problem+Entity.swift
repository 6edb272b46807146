#if Macros
/// Problems of the struct and of the arguments of `@Entity`.
extension Problem {
    static func notAStruct(kind: String, name: String) -> Problem {
        let article = kind == "actor" || kind == "enum" ? "an" : "a"
        return Problem(
            "notAStruct",
            "@Entity expects a struct, since reads return values; '\(name)' is \(article) \(kind). Make it a struct."
        )
    }

    static func generic(name: String) -> Problem {
        Problem(
            "generic",
            "@Entity expects a struct without generic parameters, since an entity has one table; '\(name)' is generic. Declare one struct for each table."
        )
    }

    static func insideGeneric(name: String) -> Problem {
        Problem(
            "insideGeneric",
            "@Entity expects a struct without generic parameters, since an entity has one table; '\(name)' stands inside a generic declaration. Move it out."
        )
    }

    static func privateAndNested(name: String) -> Problem {
        Problem(
            "privateAndNested",
            "@Entity conforms '\(name)' in an extension at the level of the file, where a private member of another declaration cannot be seen. Make it fileprivate or move it out."
        )
    }

    static func collision(_ name: String) -> Problem {
        Problem(
            "collision", "@Entity generates a member named '\(name)'. Give this one another name.")
    }

    static func wrongHook(_ name: String, expected: String) -> Problem {
        Problem(
            "wrongHook",
            "The store calls '\(name)' only if it is declared as '\(expected)'; this one would never be called. Change its declaration, or give it another name."
        )
    }

    static func hidesModule(_ name: String) -> Problem {
        Problem(
            "hidesModule",
            "@Entity generates code that names the module '\(name)', which a declaration of this name hides. Give it another name; the table may be named with @Entity(table:)."
        )
    }

    static func insideModuleName(_ name: String) -> Problem {
        Problem(
            "insideModuleName",
            "@Entity generates code that names the module '\(name)', which the declaration around this one hides. Move it out, or give the outer one another name."
        )
    }

    static let emptyInitializerMayFail = Problem(
        "emptyInitializerMayFail",
        "@Entity makes new values with init(), which must neither fail, throw nor be asynchronous. Give this initialiser a parameter without default."
    )

    static let tableNotLiteral = Problem(
        "tableNotLiteral",
        "@Entity(table:) expects a string literal without interpolation, since the name must be known when the code is compiled."
    )

    static func tableName(_ name: String) -> Problem {
        let found = name.isEmpty ? "this one is empty" : "found \"\(name)\""
        return Problem(
            "tableName",
            "The name of a table must not be empty or begin with sqlite_ or skiathos_; \(found). Choose another name."
        )
    }

    static let idTypeNotLiteral = Problem(
        "idTypeNotLiteral",
        "@Entity(id:) expects the type of the keys, written as UUID.self or String.self.")

    static func duplicates(_ first: String, _ second: String) -> Problem {
        Problem(
            "duplicates",
            "The columns '\(first)' and '\(second)' differ only by upper and lower case, which databases do not tell apart. Rename one of them."
        )
    }

    static func tooMany(_ count: Int, capacity: Int) -> Problem {
        Problem(
            "tooMany",
            "An entity can have at most \(capacity) columns beside its ID; this one has \(count). Group some of them in a Codable struct."
        )
    }
}
#endif
