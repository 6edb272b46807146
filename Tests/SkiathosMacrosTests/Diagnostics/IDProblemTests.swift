#if Macros
import MacroRequests
import Testing

@Suite struct IDProblemTests {
    @Test(arguments: ["var id = 5", "var id: Int = 5", "var id: Other.ID = .unassigned"])
    func `an ID of another kind is refused`(declaration: String) {
        expectProblems(
            in: "@Entity struct User { \(declaration) }",
            [
                .problem(
                    1, 27,
                    "'id' is the ID of the entity and must be declared as 'var id: User.ID = .unassigned', or not at all. Give a property of another kind another name, and choose the type of the keys with @Entity(id:)."
                )
            ])
    }

    @Test func `a computed ID is refused`() {
        expectProblems(
            in: "@Entity struct User { var id: User.ID { 1 } }",
            [
                .problem(
                    1, 27,
                    "'id' is the ID of the entity and must be stored; this one is computed. Declare 'var id: User.ID = .unassigned', or leave it to @Entity."
                )
            ])
    }

    @Test func `a constant ID and one without default are refused`() {
        expectProblems(
            in: "@Entity struct User { let id: User.ID }",
            [
                .problem(
                    1, 23,
                    "'id' must be a var, since insert(_:in:) gives the ID to a new value. Replace 'let' by 'var'.",
                    fixIts: ["replace 'let' by 'var'"]),
                .problem(
                    1, 27,
                    "'id' needs the default '.unassigned' so that create(in:) can make a new entity.",
                    fixIts: ["add '= .unassigned'"]),
            ], gives: "@Entity struct User { var id: User.ID = .unassigned }")
    }

    @Test func `attributes have no meaning for the ID`() {
        expectProblems(
            in: "@Entity struct User {\n    @Unique var id: User.ID = .unassigned\n}",
            [
                .problem(
                    2, 5,
                    "The ID is always stored, unique and indexed; @Unique has no meaning for it. Remove the attribute.",
                    fixIts: ["remove '@Unique'"])
            ], gives: "@Entity struct User {\n    var id: User.ID = .unassigned\n}")
    }
}
#endif
