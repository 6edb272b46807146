import ArgumentParser
import Foundation
import ServiceLocator
import Synchronization

/// What it costs to ask a service locator, by one thread and by several at once.
struct Resolve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures the nanoseconds of one resolve, call of the service included.")

    @Option(help: "How many times each thread asks in one round.")
    var count = 1_000_000

    @Option(help: "How many rounds there are, of which the quickest counts.")
    var rounds = 7

    private static let threads = [1, 2, 4]

    func run() throws {
        let app = ServiceLocator(named: "app")
        let object = ClassAdder()
        let existential: any Adder = object
        try app.register((any Adder).self, .instance(object))
        try app.register(StructAdder.self, .instance(StructAdder()))
        try app.register((any Adder).self, named: "lazy") { _ in ClassAdder() }
        // A separate object: one with weak references is slower to retain.
        let weakObject = ClassAdder()
        try app.register(ClassAdder.self, .weak(weakObject) { $0 })
        let low = try app.child().child()
        print(
            "ns per resolve, threads:".padding(36), Self.threads.map { "\($0)".padding(8) }.joined()
        )
        try row("direct call through the existential") { existential.add($0) }
        try row("value") { try app.resolve(StructAdder.self).add($0) }
        try row("value, two scopes up") { try low.resolve(StructAdder.self).add($0) }
        try row("object") { try app.resolve((any Adder).self).add($0) }
        try row("object, two scopes up") { try low.resolve((any Adder).self).add($0) }
        try row("object, lazy and named") {
            try app.resolve((any Adder).self, named: "lazy").add($0)
        }
        try row("object, weak") { try app.resolve(ClassAdder.self).add($0) }
        withExtendedLifetime(weakObject) {}
        try row("object, overridden", in: app) { try app.resolve((any Adder).self).add($0) }
    }

    private func row(
        _ name: String, in overridden: ServiceLocator? = nil,
        _ body: @escaping @Sendable (Int) throws -> Int
    ) throws {
        let figures = Self.threads.map { threads in
            let best = (0..<rounds).map { _ in round(threads, overridden, body) }.min() ?? 0
            return String(format: "%.1f", best).padding(8)
        }
        print(name.padding(36), figures.joined())
    }

    /// The nanoseconds of processor time for one resolve, on the average of the threads.
    ///
    /// The time of the processor, since other programs take turns with these threads; where they
    /// wait for each other's cache lines, it runs on.
    private func round(
        _ threads: Int, _ overridden: ServiceLocator?,
        _ body: @escaping @Sendable (Int) throws -> Int
    ) -> Double {
        let count = count
        let total = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            let time: Int
            if let overridden {
                time = overridden.withOverride((any Adder).self, ClassAdder()) {
                    processorTime(of: count, body)
                }
            } else {
                time = processorTime(of: count, body)
            }
            total.wrappingAdd(time, ordering: .relaxed)
        }
        return Double(total.load(ordering: .sequentiallyConsistent)) / Double(count * threads)
    }
}

/// The nanoseconds that the processor spends on this thread for some calls.
private func processorTime(of count: Int, _ body: (Int) throws -> Int) -> Int {
    let start = processorTime()
    var sum = 0
    for number in 0..<count { sum &+= (try? body(number)) ?? 0 }
    let end = processorTime()
    // Keeps the loop from being optimised away.
    precondition(sum != 1, "The sum of \(count) numbers cannot be 1.")
    return end - start
}

/// The time that the processor has spent on this thread, in nanoseconds.
private func processorTime() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

private protocol Adder: Sendable {
    func add(_ number: Int) -> Int
}

private struct StructAdder: Adder {
    private let step = 1

    @inline(never)
    func add(_ number: Int) -> Int { number &+ step }
}

private final class ClassAdder: Adder {
    @inline(never)
    func add(_ number: Int) -> Int { number &+ 1 }
}

extension String {
    fileprivate func padding(_ length: Int) -> String {
        padding(toLength: max(length, count), withPad: " ", startingAt: 0)
    }
}
