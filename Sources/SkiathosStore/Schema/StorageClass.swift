/// How a backend stores the values of one column.
public enum StorageClass: String, Sendable, Hashable, CaseIterable {
    /// A signed 64-bit integer. `Bool` is 0 or 1.
    case integer
    /// A 64-bit floating point number, never NaN.
    case real
    /// UTF-8 text without NUL characters, compared byte by byte.
    case text
    /// Bytes, compared byte by byte.
    case blob
    /// A decimal number as text without exponent, compared by its numeric value.
    case decimal
}
