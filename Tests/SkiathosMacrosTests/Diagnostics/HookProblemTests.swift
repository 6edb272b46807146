#if Macros
import MacroRequests
import Testing

/// Every function that the store calls, and every way to miss it by one step.
@Suite struct HookProblemTests {
    private static let hooks = ["willInsert", "willUpdate", "willDelete"].map {
        "static func \($0)(_ object: Managed<User>, in context: WriteContext) throws"
    }
    private static let observer = "static func didCommit(_ changes: EntityChanges<User>)"
    private static let validation = "func validate(_ validation: inout Validation<User>)"
    private static let functions = hooks + [observer, validation]

    @Test(arguments: functions)
    func `a function as the store calls it is accepted`(function: String) {
        expectProblems(in: entity(function), [])
        expectProblems(in: entity(function.replacing("<User>", with: "<Self>")), [])
        expectProblems(in: entity(function.replacing(": Managed", with: ": Skiathos.Managed")), [])
        expectProblems(in: entity("@discardableResult " + function), [])
    }

    @Test func `a hook need not throw`() {
        for hook in Self.hooks {
            expectProblems(in: entity(hook.replacing(" throws", with: "")), [])
        }
    }

    @Test(arguments: functions, Miss.allCases)
    func `a function that is nearly one which the store calls is refused`(
        function: String, miss: Miss
    ) {
        guard let missed = miss.apply(to: function), missed != function else { return }
        let source = entity(missed)
        let name = function.prefix { $0 != "(" }.split(separator: " ").last ?? ""
        let column =
            source.prefix(upTo: source.firstRange(of: " \(name)")?.lowerBound ?? source.startIndex)
            .count + 2
        expectProblems(
            in: source,
            [
                .problem(
                    1, column,
                    "The store calls '\(name)' only if it is declared as '\(function)'; this one would never be called. Change its declaration, or give it another name."
                )
            ])
    }

    @Test(arguments: ["func validate() throws", "func validate(_ form: Form)", "func didCommit()"])
    func `a function of the user's own may have the same name`(function: String) {
        expectProblems(in: entity(function), [])
    }

    @Test func `a type of the user's own name may stand for the right one`() {
        let function = "static func willInsert(_ object: Object, in context: WriteContext)"
        expectProblems(in: entity(function), [])
    }

    @Test func `the compiler checks the conformances of declared hooks`() {
        let hooks = expansion(of: entity(Self.hooks[0]))
        #expect(hooks.contains("Skiathos.Declared.hooks(User.self),"))
        let observer = expansion(of: entity(Self.observer))
        #expect(observer.contains("Skiathos.Declared.observing(User.self),"))
        #expect(!expansion(of: entity(Self.validation)).contains("Declared"))
    }

    private func entity(_ function: String) -> String {
        "@Entity struct User: WriteHooks, CommitObserving { \(function) {} }"
    }

    /// One step away from the right declaration.
    enum Miss: CaseIterable {
        case `static`, `inout`, `throws`, async, label, secondLabel, fewer, more, entity, plain,
            result
        case mutating

        func apply(to function: String) -> String? {
            switch self {
            case .static:
                function.hasPrefix("static ") ? String(function.dropFirst(7)) : "static " + function
            case .inout:
                function.contains("inout ")
                    ? function.replacing("inout ", with: "")
                    : function.replacing(": Managed", with: ": inout Managed")
                        .replacing(": EntityChanges", with: ": inout EntityChanges")
            case .throws: function.hasSuffix("throws") ? nil : function + " throws"
            case .async:
                function.hasSuffix("throws")
                    ? function.replacing(" throws", with: " async throws") : function + " async"
            case .label: function.replacing("(_ ", with: "(")
            case .secondLabel: function.replacing("in context", with: "context")
            case .fewer: function.replacing(", in context: WriteContext", with: "")
            case .more: function.replacing(")", with: ", _ count: Int)")
            case .entity: function.replacing("<User>", with: "<Team>")
            case .plain: function.replacing("Managed<User>", with: "User")
            case .result: function + " -> Bool"
            case .mutating: function.hasPrefix("func") ? "mutating " + function : nil
            }
        }
    }
}
#endif
