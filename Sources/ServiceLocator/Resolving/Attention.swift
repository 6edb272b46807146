import Synchronization

/// Whether any task of the process may be under an override or be making a service.
///
/// While none is, to resolve something need not look at values of the task, which costs about as
/// much as all the rest.
enum Attention {
    private static let level = Atomic<Int>(0)

    @inline(__always)
    static var isNeeded: Bool { level.load(ordering: .relaxed) != 0 }

    static func begin() { level.wrappingAdd(1, ordering: .relaxed) }

    static func end() { level.wrappingSubtract(1, ordering: .relaxed) }
}
