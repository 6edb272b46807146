#if RequestCore
/// A heap of elements ordered by the time to check them, each identified by a slot.
///
/// Inserting an element that is due after all others, as new ones mostly are, moves none.
struct DeadlineHeap<Element> {
    private struct Entry {
        var time: Duration?
        var slot: Int
        var element: Element
    }

    private var entries: [Entry] = []
    /// The position of each slot's entry; -1 for free slots.
    private var positions: [Int] = []
    private var freeSlots: [Int] = []

    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }
    /// All elements, in no order.
    var elements: [Element] { entries.map(\.element) }

    /// The earliest time at which an element is due; nil if none ever is.
    var earliest: Duration? { entries.first?.time }

    /// Inserts an element that the closure makes for its slot.
    mutating func insert(at time: Duration?, _ make: (Int) -> Element) -> Element {
        let slot = freeSlots.popLast() ?? positions.count
        if slot == positions.count { positions.append(-1) }
        let element = make(slot)
        entries.append(Entry(time: time, slot: slot, element: element))
        positions[slot] = entries.count - 1
        rise(from: entries.count - 1)
        return element
    }

    /// Removes the element of a slot, which may then be reused.
    mutating func remove(slot: Int) {
        let position = positions[slot]
        let last = entries.count - 1
        if position != last { exchange(position, last) }
        entries.removeLast()
        positions[slot] = -1
        freeSlots.append(slot)
        guard position < entries.count else { return }
        sink(from: position)
        rise(from: position)
    }

    /// The first element, if it is due.
    func due(at now: Duration) -> Element? {
        guard let first = entries.first, let time = first.time, time <= now else { return nil }
        return first.element
    }

    /// Sets when the first element is due next.
    mutating func postponeFirst(to time: Duration?) {
        guard !entries.isEmpty else { return }
        entries[0].time = time
        sink(from: 0)
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        guard let time = entries[left].time else { return false }
        guard let other = entries[right].time else { return true }
        return time < other
    }

    private mutating func exchange(_ left: Int, _ right: Int) {
        entries.swapAt(left, right)
        positions[entries[left].slot] = left
        positions[entries[right].slot] = right
    }

    private mutating func rise(from start: Int) {
        var position = start
        while position > 0 {
            let parent = (position - 1) / 2
            guard precedes(position, parent) else { return }
            exchange(position, parent)
            position = parent
        }
    }

    private mutating func sink(from start: Int) {
        var position = start
        while true {
            var first = position
            for child in [2 * position + 1, 2 * position + 2] where child < entries.count {
                if precedes(child, first) { first = child }
            }
            guard first != position else { return }
            exchange(position, first)
            position = first
        }
    }
}
#endif
