/// Which values of its storage class a column can hold.
///
/// ```swift
/// Int8.domain      // .integers(-128...127)
/// Date.domain      // .reals(-63113904000.0...252423993599.99997)
/// ```
///
/// Values of properties are checked when they are bound. A backend checks what it computes itself,
/// for set-based changes, so that a column never holds what its property cannot be read from.
public enum ColumnDomain: Sendable, Hashable {
    /// All of them.
    case everything
    /// Integers in a range.
    case integers(ClosedRange<Int64>)
    /// Floating point numbers in a range.
    case reals(ClosedRange<Double>)
    /// Floating point numbers of single precision; others are rounded to the nearest one.
    case singlePrecision
    /// The values that the column's coding reads, in the form in which it binds them again.
    case readable
}
