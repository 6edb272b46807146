import Synchronization

/// Tells whether any task of the process may run under an override or make a service.
///
/// While no task does, `resolve` skips the task-local values, whose lookup costs about as much
/// as all the rest.
enum Attention {
    private static let level = Atomic<Int>(0)

    @inline(__always)
    static var isNeeded: Bool { level.load(ordering: .relaxed) != 0 }

    static func begin() { level.wrappingAdd(1, ordering: .relaxed) }

    static func end() { level.wrappingSubtract(1, ordering: .relaxed) }
}
