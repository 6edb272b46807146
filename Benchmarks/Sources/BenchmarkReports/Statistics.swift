/// Figures that a few strange rounds do not move.
package enum Statistics {
    /// The value in the middle, or the mean of the two there; `nil` for no values.
    package static func median(_ values: [Double]) -> Double? { quantile(values, 0.5) }

    /// The value below which a fraction of the values lies, interpolated; `nil` for no values.
    package static func quantile(_ values: [Double], _ fraction: Double) -> Double? {
        let sorted = values.sorted()
        guard let last = sorted.indices.last else { return nil }
        let position = min(max(fraction, 0), 1) * Double(last)
        let below = Int(position)
        let above = min(below + 1, last)
        return sorted[below] + (sorted[above] - sorted[below]) * (position - Double(below))
    }
}
