/// The longest subsequence of numbers in which each is greater than the one before.
///
/// See C. Schensted, "Longest increasing and decreasing subsequences", 1961, and patience sorting.
enum IncreasingSubsequence {
    /// The positions of such a subsequence, ascending, in O(n log n).
    ///
    /// - Parameter numbers: Numbers of which none appears twice.
    static func positions(in numbers: [Int]) -> [Int] {
        /// By length − 1, the position of the smallest number that ends a subsequence so long.
        var ends: [Int] = []
        /// The position before each position in its subsequence.
        var before = [Int](repeating: -1, count: numbers.count)
        for (position, number) in numbers.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            if low > 0 { before[position] = ends[low - 1] }
            if low == ends.count { ends.append(position) } else { ends[low] = position }
        }
        var result: [Int] = []
        result.reserveCapacity(ends.count)
        var position = ends.last ?? -1
        while position >= 0 {
            result.append(position)
            position = before[position]
        }
        return result.reversed()
    }

    /// The elements that are not in such a subsequence of their numbers: the fewest that have to move
    /// so that the others are in order.
    static func others<Element>(
        _ elements: [Element], by number: (Element) -> Int
    ) -> [Element] {
        let staying = Set(positions(in: elements.map(number)))
        return elements.indices.filter { !staying.contains($0) }.map { elements[$0] }
    }
}
