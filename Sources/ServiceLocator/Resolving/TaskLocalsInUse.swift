import Synchronization

/// Whether any task of the process has task-local values of a locator: it runs under an override, or
/// makes a service.
///
/// While none has, `resolve` skips their lookup, which costs about as much as all the rest.
enum TaskLocalsInUse {
    private static let count = Atomic<Int>(0)

    @inline(__always)
    static var exist: Bool { count.load(ordering: .relaxed) != 0 }

    static func begin() { count.wrappingAdd(1, ordering: .relaxed) }

    static func end() { count.wrappingSubtract(1, ordering: .relaxed) }
}
