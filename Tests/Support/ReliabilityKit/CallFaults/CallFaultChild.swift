#if canImport(Glibc)
import Foundation
import Glibc
import Skiathos

/// The process whose calls fail: it runs faults one after the other, and reports the outcomes.
///
/// It says `begin` and the number before each, so that the parent process knows which one it
/// did not survive.
package enum CallFaultChild {
    /// The first argument of such a process.
    package static let word = "call-faults"
    /// How many seconds a fault may take before it counts as a hang.
    private static let patience: UInt32 = 600

    /// Runs the faults of a file of lines, from a number on; without any, counts the calls.
    package static func run(_ arguments: [String]) async throws {
        guard arguments.count == 3, let first = Int(arguments[2]), let control = CallFaultControl()
        else { exit(64) }
        let base = try await FaultBase()
        let lines = try String(contentsOfFile: arguments[1], encoding: .utf8)
        let faults = lines.split(separator: "\n").compactMap { CallFault($0) }
        if faults.isEmpty { try await count(control, base) }
        for (number, fault) in faults.enumerated().dropFirst(first) {
            say("begin \(number)")
            alarm(patience)
            let run = CallFaultRun(fault: fault, scene: fault.scene, control: control, base: base)
            let result = try await run.run()
            if result.hasFailed { say("failed \(number)") }
            for text in result.said { say("said \(text)") }
            for problem in result.problems { say("problem \(fault): \(problem)") }
        }
        alarm(0)
        say("done")
        exit(0)
    }

    private static func count(_ control: CallFaultControl, _ base: FaultBase) async throws {
        for scene in CallFault.Scene.allCases {
            let run = CallFaultRun(fault: nil, scene: scene, control: control, base: base)
            let result = try await run.run()
            for problem in result.problems { say("problem \(scene) without a fault: \(problem)") }
            for call in CallFault.Call.allCases {
                say("count \(scene.rawValue) \(call.rawValue) \(control.count(call))")
            }
        }
    }

    private static func say(_ text: String) {
        let line = text.replacing("\n", with: " ") + "\n"
        _ = line.withCString { Glibc.write(STDOUT_FILENO, $0, strlen($0)) }
    }
}
#endif
