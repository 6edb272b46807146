#if Macros
import Testing

@Suite struct ProblemTests {
    @Test(arguments: [
        ("func count() -> Int", "count"), ("var name: String { get }", "name"),
        ("func count() throws(E) -> Int", "count"),
    ])
    func `a result without a default value needs a fallback`(member: String, name: String) {
        expectProblem(
            in: member, column: 5,
            "'\(name)' has a result that is not optional and does not throw, so it needs "
                + "@Fallback(value) for when the object is gone.")
    }

    @Test(arguments: [
        ("associatedtype Item", 5, "associated types: the object's types are not known."),
        ("init()", 5, "initializers: a proxy is made for an object that exists."),
        ("subscript(i: Int) -> Int? { get }", 5, "subscripts: use a function instead."),
        ("static func f()", 5, "static members: a proxy stands for an object, not for its type."),
        ("mutating func f()", 5, "mutating members: an object is not replaced by its functions."),
        ("func f(_ n: Int...)", 12, "variadic parameters: Swift cannot pass them on."),
        ("func f() -> Self?", 17, "'Self': the proxy is of another type than the object."),
        (
            "func f(_ g: () throws -> Void) rethrows", 36,
            "'rethrows': the proxy throws errors of its own."
        ),
    ])
    func `a member that cannot be forwarded is refused with the reason`(
        member: String, column: Int, message: String
    ) {
        expectProblem(in: member, column: column, "@WeakProxy cannot forward \(message)")
    }
}
#endif
