/// Makes a list of elements that stay and others that are put in between them.
package enum ListFilling {
    /// - Parameters:
    ///   - staying: The elements that stay, in order.
    ///   - inserted: Others, each with its index in the new list, ascending.
    ///   - moved: Further ones, each with its index in the new list, ascending.
    package static func fill<Element>(
        _ staying: [Element], _ inserted: [(index: Int, element: Element)],
        _ moved: [(index: Int, element: Element)]
    ) -> [Element] {
        let count = staying.count + inserted.count + moved.count
        var result: [Element] = []
        result.reserveCapacity(count)
        var (stays, insertions, moves) = (0, 0, 0)
        for index in 0..<count {
            if insertions < inserted.count, inserted[insertions].index == index {
                result.append(inserted[insertions].element)
                insertions += 1
            } else if moves < moved.count, moved[moves].index == index {
                result.append(moved[moves].element)
                moves += 1
            } else {
                result.append(staying[stays])
                stays += 1
            }
        }
        return result
    }
}
