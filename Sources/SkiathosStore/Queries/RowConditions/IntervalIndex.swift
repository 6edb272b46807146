/// Elements by ranges of values, found by a value that lies in their range.
///
/// A treap in arrays, ordered by the lower bounds, where each node knows the greatest upper bound
/// below it: adding, removing and finding take logarithmic time, and finding one step more for each
/// element found. See R. Seidel and C. R. Aragon, "Randomized Search Trees", and interval trees in
/// "Introduction to Algorithms" by T. H. Cormen and others.
package struct IntervalIndex<Element: Sendable>: Sendable {
    /// Where an element is, until it is removed.
    package struct Handle: Sendable, Hashable {
        fileprivate let node: Int
    }

    private struct Node: Sendable {
        var range: ValueRange
        var element: Element?
        var priority: UInt64
        var left = -1
        var right = -1
        /// The greatest upper bound in the subtree; `nil` if a range in it has none.
        var end: ValueRange.Bound?
    }

    private var nodes: [Node] = []
    private var free: [Int] = []
    private var root = -1
    /// The state of the generator of priorities: Marsaglia's xorshift with 64 bits.
    private var generator: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// How many elements there are.
    package var count: Int { nodes.count - free.count }

    package init() {}

    /// Adds an element.
    package mutating func insert(_ range: ValueRange, at element: Element) -> Handle {
        generator ^= generator << 13
        generator ^= generator >> 7
        generator ^= generator << 17
        let node = Node(range: range, element: element, priority: generator, end: range.to)
        let number = free.popLast() ?? nodes.count
        if number == nodes.count { nodes.append(node) } else { nodes[number] = node }
        root = insert(number, below: root)
        return Handle(node: number)
    }

    /// Removes an element, which must be there.
    package mutating func remove(_ handle: Handle) {
        root = remove(handle.node, below: root)
        nodes[handle.node].element = nil
        free.append(handle.node)
    }

    /// Calls a closure with each element whose range contains a value, until it returns `false`;
    /// returns whether it never did.
    @discardableResult
    package func allSatisfy(containing value: StoreValue, _ body: (Element) -> Bool) -> Bool {
        value == .null || visit(root, value, body)
    }

    private func visit(_ number: Int, _ value: StoreValue, _ body: (Element) -> Bool) -> Bool {
        guard number >= 0 else { return true }
        let node = nodes[number]
        // Nothing below ends at the value or after it.
        if let end = node.end {
            let order = value.order(end.value)
            if order > 0 || order == 0 && !end.isInclusive { return true }
        }
        guard visit(node.left, value, body) else { return false }
        // Everything to the right begins at this bound or after it.
        guard Self.begins(node.range, before: value) else { return true }
        if node.range.isBelowEnd(value), let element = node.element, !body(element) { return false }
        return visit(node.right, value, body)
    }

    private static func begins(_ range: ValueRange, before value: StoreValue) -> Bool {
        guard let from = range.from else { return true }
        let order = value.order(from.value)
        return order > 0 || order == 0 && from.isInclusive
    }

    /// Whether a node comes before another one: by its lower bound, then by its number.
    private func isBefore(_ left: Int, _ right: Int) -> Bool {
        let order = Self.order(nodes[left].range.from, nodes[right].range.from)
        return order == 0 ? left < right : order < 0
    }

    private static func order(_ left: ValueRange.Bound?, _ right: ValueRange.Bound?) -> Int {
        guard let left else { return right == nil ? 0 : -1 }
        guard let right else { return 1 }
        let order = left.value.order(right.value)
        if order != 0 { return order }
        return (left.isInclusive ? 0 : 1) - (right.isInclusive ? 0 : 1)
    }

    private mutating func insert(_ number: Int, below root: Int) -> Int {
        guard root >= 0 else { return number }
        if isBefore(number, root) {
            nodes[root].left = insert(number, below: nodes[root].left)
            update(root)
            return nodes[nodes[root].left].priority > nodes[root].priority
                ? rotateRight(root) : root
        }
        nodes[root].right = insert(number, below: nodes[root].right)
        update(root)
        return nodes[nodes[root].right].priority > nodes[root].priority ? rotateLeft(root) : root
    }

    private mutating func remove(_ number: Int, below root: Int) -> Int {
        guard root >= 0 else { return root }
        if root == number { return merge(nodes[root].left, nodes[root].right) }
        if isBefore(number, root) {
            nodes[root].left = remove(number, below: nodes[root].left)
        } else {
            nodes[root].right = remove(number, below: nodes[root].right)
        }
        update(root)
        return root
    }

    /// Joins two trees, all of whose nodes on the left come before those on the right.
    private mutating func merge(_ left: Int, _ right: Int) -> Int {
        guard left >= 0 else { return right }
        guard right >= 0 else { return left }
        if nodes[left].priority > nodes[right].priority {
            nodes[left].right = merge(nodes[left].right, right)
            update(left)
            return left
        }
        nodes[right].left = merge(left, nodes[right].left)
        update(right)
        return right
    }

    private mutating func rotateRight(_ root: Int) -> Int {
        let left = nodes[root].left
        nodes[root].left = nodes[left].right
        nodes[left].right = root
        update(root)
        update(left)
        return left
    }

    private mutating func rotateLeft(_ root: Int) -> Int {
        let right = nodes[root].right
        nodes[root].right = nodes[right].left
        nodes[right].left = root
        update(root)
        update(right)
        return right
    }

    private mutating func update(_ number: Int) {
        var end = nodes[number].range.to
        for child in [nodes[number].left, nodes[number].right] where child >= 0 {
            guard let own = end, let other = nodes[child].end else {
                end = nil
                break
            }
            let order = other.value.order(own.value)
            if order > 0 || order == 0 && other.isInclusive { end = other }
        }
        nodes[number].end = end
    }
}
