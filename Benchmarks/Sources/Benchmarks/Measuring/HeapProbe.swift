import CSupport
import Synchronization

/// By how much the heap grows between two looks at it.
final class HeapProbe: Sendable {
    private struct State {
        var before = 0
        var growth: Int?
        var count = 0
    }

    private let state = Mutex(State())

    /// Whether this system provides the figures.
    static var isAvailable: Bool { heap_bytes_in_use() >= 0 }

    /// How many bytes are in use, or -1 where this system does not provide the figure.
    static var bytesInUse: Int { Int(heap_bytes_in_use()) }

    func begin() { state.withLock { $0.before = Int(heap_bytes_in_use()) } }

    /// Takes note of the growth, which is due to so many values.
    func look(_ count: Int) {
        state.withLock {
            $0.growth = Int(heap_bytes_in_use()) - $0.before
            $0.count = count
        }
    }

    /// The bytes of each value.
    var bytesPerValue: Double? {
        state.withLock { state in
            state.count == 0 ? nil : state.growth.map { Double($0) / Double(state.count) }
        }
    }
}
