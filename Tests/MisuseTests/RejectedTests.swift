import Testing

@Suite struct RejectedTests {
    @Test(arguments: try Program.all(in: "Rejected"))
    func `a misuse is refused at its place and for its own reason`(program: Program) async throws {
        let outcome = try await Compiler.shared.get().compile(program)
        #expect(program.objectionsToRefusal(outcome) == [])
    }
}
