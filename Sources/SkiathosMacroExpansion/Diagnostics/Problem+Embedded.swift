#if Macros
extension Problem {
    static func embeddedNotAStruct(_ kind: String) -> Problem {
        Problem(
            "embeddedNotAStruct",
            "@Embedded expects a struct, whose stored properties are the fields; found '\(kind)'. Make it a struct, or adopt Embedded and list the fields."
        )
    }

    static func embeddedGeneric(_ name: String) -> Problem {
        Problem(
            "embeddedGeneric",
            "@Embedded expects a struct without generic parameters, since the fields are listed once; '\(name)' has some. Adopt Embedded and list the fields in a computed property."
        )
    }
}
#endif
