#if canImport(Glibc)
import Foundation

/// Tries pairs of accesses in processes of their own, since a hang cannot be ended otherwise.
package struct AccessPairSweep: Sendable {
    /// One of how many pairs is tried.
    package var stride: Int
    /// Which of them is the first.
    package var first: Int

    package init(stride: Int = 1, first: Int = 0) {
        self.stride = stride
        self.first = first
    }

    /// What is wrong in a scene, in sentences.
    package static func run(_ scene: AccessScene) async throws -> [String] {
        let (lines, status) = try await ChildProcess.output(
            of: [AccessPairChild.word, scene.rawValue])
        let problems = lines.compactMap { $0.rest(after: "problem ") }
        guard !lines.contains("done") else { return problems }
        return problems + ["\(scene): the process has hung or died: \(status)."]
    }

    /// What is wrong, in sentences, and how many pairs were tried.
    package func run() async throws -> (problems: [String], tried: Int) {
        var numbers = Array(
            Swift.stride(from: first % stride, to: AccessPair.all.count, by: stride))
        let tried = numbers.count
        var problems: [String] = []
        while !numbers.isEmpty {
            let (lines, status) = try await ChildProcess.output(
                of: [AccessPairChild.word] + numbers.map { "\($0)" })
            problems += lines.compactMap { $0.rest(after: "problem ") }
            guard !lines.contains("done") else { break }
            guard let last = lines.compactMap({ $0.rest(after: "begin ") }).last,
                let number = Int(last), let index = numbers.firstIndex(of: number)
            else {
                problems.append("The process has ended before its first pair: \(status).")
                break
            }
            problems.append("\(AccessPair.all[number]): the process has hung or died: \(status).")
            numbers.removeSubrange(...index)
        }
        return (problems, tried)
    }
}
#endif
