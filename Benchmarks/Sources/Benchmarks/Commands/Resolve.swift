import ArgumentParser
import Foundation
import ServiceLocator

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
        try app.register(ClassAdder.self, .weak(object) { $0 })
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

    /// The nanoseconds of one resolve of a thread, as if it had a processor of its own.
    private func round(
        _ threads: Int, _ overridden: ServiceLocator?,
        _ body: @escaping @Sendable (Int) throws -> Int
    ) -> Double {
        let count = count
        let work: @Sendable () -> Void = {
            var sum = 0
            for number in 0..<count { sum &+= (try? body(number)) ?? 0 }
            // Keeps the loop from being optimised away.
            precondition(sum != 1, "The sum of \(count) numbers cannot be 1.")
        }
        let clock = ContinuousClock()
        let start = clock.now
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            guard let overridden else { return work() }
            overridden.withOverride((any Adder).self, ClassAdder()) { work() }
        }
        let shared = Double(threads) / Double(min(threads, ProcessInfo.processInfo.processorCount))
        return (clock.now - start) / .nanoseconds(count) / shared
    }
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
