extension Duration {
    /// The duration as what timers take, or the largest that they take.
    package var nanoseconds: Int {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return .max }
        let (sum, isTooLarge) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isTooLarge ? .max : Int(clamping: sum)
    }
}
