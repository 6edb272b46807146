import GRDBSQLite

/// Orders decimal numbers that are kept as text, by their value.
///
/// Texts have the form of `Decimal.description`: a sign for negative ones, digits, and perhaps a
/// point and more digits; no exponent. Any other text has some place in the order too, so that
/// sorting never fails.
enum DecimalOrder {
    /// The name of the SQL collation.
    static let collation = "skiathos_decimal"

    /// Registers the collation on a connection.
    static func register(on connection: OpaquePointer?) -> Int32 {
        sqlite3_create_collation_v2(
            connection, collation, SQLITE_UTF8, nil,
            { _, leftCount, left, rightCount, right in
                DecimalOrder.compare(
                    UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
                    UnsafeRawBufferPointer(start: right, count: Int(rightCount)))
            }, nil)
    }

    /// Less than, equal to or greater than 0, as the left number is to the right one.
    static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int32 {
        let left = Parts(left)
        let right = Parts(right)
        guard left.isNegative == right.isNegative else { return left.isNegative ? -1 : 1 }
        let order = compareMagnitudes(left, right)
        return left.isNegative ? -order : order
    }

    /// A number without its sign, leading zeros and trailing zeros of the fraction.
    private struct Parts {
        var isNegative: Bool
        var whole: Slice<UnsafeRawBufferPointer>
        var fraction: Slice<UnsafeRawBufferPointer>

        init(_ text: UnsafeRawBufferPointer) {
            isNegative = text.first == UInt8(ascii: "-")
            let digits = text[(isNegative ? 1 : 0)...]
            let point = digits.firstIndex(of: UInt8(ascii: ".")) ?? digits.endIndex
            whole = digits[..<point].drop { $0 == UInt8(ascii: "0") }
            fraction = digits[point...].dropFirst()
            while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
            // There is one zero only.
            if whole.isEmpty, fraction.isEmpty { isNegative = false }
        }
    }

    private static func compareMagnitudes(_ left: Parts, _ right: Parts) -> Int32 {
        // More digits before the point make a larger number.
        if left.whole.count != right.whole.count {
            return left.whole.count < right.whole.count ? -1 : 1
        }
        let order = compareDigits(left.whole, right.whole)
        return order != 0 ? order : compareDigits(left.fraction, right.fraction)
    }

    private static func compareDigits(
        _ left: Slice<UnsafeRawBufferPointer>, _ right: Slice<UnsafeRawBufferPointer>
    ) -> Int32 {
        for (left, right) in zip(left, right) where left != right { return left < right ? -1 : 1 }
        if left.count == right.count { return 0 }
        return left.count < right.count ? -1 : 1
    }
}
