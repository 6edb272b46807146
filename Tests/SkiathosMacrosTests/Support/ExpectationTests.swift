#if Macros
import MacroRequests
import Testing

/// The other tests would pass as well if the program that expands macros found nothing.
@Suite struct ExpectationTests {
    @Test func `an expansion that differs is a failure`() {
        withKnownIssue {
            expectExpansion(of: "@Entity(table: nil) struct User {}", to: "struct User {}")
        } matching: {
            $0.description.contains("did not produce the expected expanded source")
        }
    }

    @Test func `a problem that is not reported is a failure`() {
        withKnownIssue {
            expectProblems(in: "struct User {}", [.problem(1, 1, "none")])
        } matching: {
            $0.description.contains("Expected 1 diagnostics but received 0")
        }
    }

    @Test func `a fixed source that differs is a failure`() {
        withKnownIssue {
            expectProblems(
                in: "@Entity struct User { var x: Int }", [needsDefault(1, 27, "x", "0")],
                gives: "@Entity struct User { var x: Int = 1 }")
        } matching: {
            $0.description.contains("Int = 1")
        }
    }
}
#endif
