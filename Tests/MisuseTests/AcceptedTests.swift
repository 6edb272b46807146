import Testing

@Suite struct AcceptedTests {
    @Test(arguments: try Program.all(in: "Accepted"))
    func `the code of users compiles without a warning`(program: Program) async throws {
        let outcome = try await Compiler.shared.get().compile(program)
        #expect(program.objectionsToAcceptance(outcome) == [])
    }
}
