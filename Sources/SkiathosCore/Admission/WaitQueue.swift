/// A queue from which an element in the middle can be removed by its number.
struct WaitQueue<Element> {
    private var elements: [Element?] = []
    /// How many elements at the front of `elements` are used up.
    private var head = 0
    /// The number of the first element of `elements`.
    private var firstNumber = 0
    private(set) var count = 0

    /// Appends an element and returns its number.
    mutating func append(_ element: Element) -> Int {
        elements.append(element)
        count += 1
        return firstNumber + elements.count - 1
    }

    /// Inserts an element before all others and returns its number.
    mutating func prepend(_ element: Element) -> Int {
        if head > 0 {
            head -= 1
            elements[head] = element
        } else {
            elements.insert(element, at: 0)
            firstNumber -= 1
        }
        count += 1
        return firstNumber + head
    }

    /// Removes the first element that meets a condition.
    mutating func popFirst(where isMeant: (Element) -> Bool) -> Element? {
        for index in elements.indices.dropFirst(head) {
            if let element = elements[index], isMeant(element) {
                elements[index] = nil
                count -= 1
                return element
            }
        }
        return nil
    }

    /// Removes the first element.
    mutating func popFirst() -> Element? {
        while head < elements.count {
            let element = elements[head]
            elements[head] = nil
            head += 1
            if let element {
                count -= 1
                compact()
                return element
            }
        }
        compact()
        return nil
    }

    /// Removes the element with a number, if it is still there.
    mutating func remove(_ number: Int) -> Element? {
        let index = number - firstNumber
        guard index >= head, index < elements.count, let element = elements[index] else {
            return nil
        }
        elements[index] = nil
        count -= 1
        return element
    }

    /// Removes all elements that meet a condition, in their order.
    mutating func removeAll(where isMeant: (Element) -> Bool) -> [Element] {
        var removed: [Element] = []
        for index in elements.indices.dropFirst(head) {
            if let element = elements[index], isMeant(element) {
                elements[index] = nil
                removed.append(element)
            }
        }
        count -= removed.count
        return removed
    }

    /// Drops the used elements once they are half of all, so that each costs constant time.
    private mutating func compact() {
        guard head > 16, head * 2 > elements.count else { return }
        elements.removeFirst(head)
        firstNumber += head
        head = 0
    }
}
