#if Macros && Lifecycle
import Skiathos
import SkiathosLifecycle

@Entity struct Step {
    @Unique var number = 0
}

@main struct ShutdownSafe {
    static func main() async throws {
        let dal = try await DataAccessLayer.open(.sqlite("steps.sqlite"), entities: Step.self)
        let before: Int = try await dal.read { try Step.count(in: $0) }
        print("\(before) so far")
        let report = try await dal.runUntilTerminated {
            var count = before
            defer { print("counted to \(count)") }
            while true {
                let next = count + 1
                // SIGTERM makes both waits throw. A write that has thrown has changed nothing.
                try await dal.write { try Step.create(in: $0) { $0.number = next } }
                count = next
                try await Task.sleep(for: .milliseconds(10))
            }
        }
        print(report)
    }
}
#else
@main struct ShutdownSafe {
    static func main() {
        print(
            "ShutdownSafe needs the traits Macros and Lifecycle: swift run --traits Macros,Lifecycle ShutdownSafe"
        )
    }
}
#endif
