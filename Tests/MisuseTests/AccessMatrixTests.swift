import Foundation
import Testing

@Suite struct AccessMatrixTests {
    @Test func `every awaited call of a read or write is judged by its result and its place`()
        async throws
    {
        try await expectVerdicts(on: AccessMatrix.asynchronous)
    }

    @Test func `every blocking call of a read or write is judged by its result and its place`()
        async throws
    {
        try await expectVerdicts(on: AccessMatrix.blocking)
    }

    private func expectVerdicts(on lines: [AccessMatrix.Line]) async throws {
        let program = try AccessMatrix.program(of: lines)
        defer { try? FileManager.default.removeItem(atPath: program.path) }
        let outcome = try await Compiler.shared.get().compile(program)
        #expect(AccessMatrix.objections(to: outcome, of: lines, in: program) == [])
    }
}
