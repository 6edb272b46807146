import SkiathosStore

/// Interests in rows of which a column contains a text, all of one shape.
///
/// Their texts lie side by side and are tested in one loop: the value of the column is fetched once, and
/// a test reads no other memory than its text. No index finds them, so a change of the column tests all.
struct TextInterests: Sendable {
    /// What the interests have in common.
    struct Shape: Hashable, Sendable {
        /// How the column contains the text.
        let search: TextSearch
        /// The columns that matter of a row that contains the text before and after a change.
        let columns: ColumnSet

        /// The columns of which one has to differ, so that the change of a row matters.
        var decisiveColumns: ColumnSet { columns.union([search.column]) }
    }

    /// An interest, and where its text is.
    private struct Element {
        let number: Int
        var text: Range<Int>
    }

    private let shape: Shape
    private var elements: ContiguousArray<Element> = []
    /// Where the interest with a number is.
    private var places: [Int: Int] = [:]
    /// The texts of all, and of some that were removed.
    private var bytes: ContiguousArray<UInt8> = []
    /// How many of the bytes belong to none.
    private var unused = 0

    init(_ shape: Shape) { self.shape = shape }

    var isEmpty: Bool { elements.isEmpty }

    mutating func insert(_ text: [UInt8], as number: Int) {
        places[number] = elements.count
        elements.append(Element(number: number, text: bytes.count..<bytes.count + text.count))
        bytes.append(contentsOf: text)
    }

    mutating func remove(_ number: Int) {
        guard let place = places.removeValue(forKey: number), let last = elements.last else {
            return
        }
        unused += elements[place].text.count
        elements[place] = last
        elements.removeLast()
        if place < elements.count { places[last.number] = place }
        if unused > bytes.count / 2 { compact() }
    }

    private mutating func compact() {
        var kept = ContiguousArray<UInt8>()
        kept.reserveCapacity(bytes.count - unused)
        for place in elements.indices {
            let text = elements[place].text
            elements[place].text = kept.count..<kept.count + text.count
            kept.append(contentsOf: bytes[text])
        }
        bytes = kept
        unused = 0
    }

    /// Tests each one, and calls a closure with its number and whether it is affected by a change, until
    /// that returns `false`; returns whether it never did.
    func allTests(of row: ChangedRow, _ body: (Int, Bool) -> Bool) -> Bool {
        guard row.mayMatter(by: shape.decisiveColumns) else { return true }
        let changesOthers = !shape.columns.isDisjoint(with: row.columns)
        let isSame =
            row.before != nil && row.after != nil && !row.columns.contains(shape.search.column)
        return bytes.withUnsafeBufferPointer { bytes in
            shape.search.withMatcher(row.after) { after in
                shape.search.withMatcher(isSame ? nil : row.before) { before in
                    elements.allSatisfy { element in
                        let text = UnsafeBufferPointer(rebasing: bytes[element.text])
                        let isIn = after(text)
                        let wasIn = isSame ? isIn : before(text)
                        return body(element.number, isIn != wasIn || isIn && changesOthers)
                    }
                }
            }
        }
    }
}
