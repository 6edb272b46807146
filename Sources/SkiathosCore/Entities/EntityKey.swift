public import SkiathosPlatformFoundation
public import SkiathosStore
import Synchronization

/// A type of keys: `Int64`, `UUID` or `String`.
///
/// Keys are compared by their ``identity`` alone, which is what the store compares.
///
/// ```swift
/// struct ISBN: EntityKey {
///     var text: String
///     var identity: StoredText { StoredText(text) }
///     // …
/// }
/// ```
public protocol EntityKey: ColumnValue {
    /// The type by which two keys are compared.
    associatedtype Identity: Hashable, Sendable
    /// The value by which this key is compared: equal for two keys if, and only if, the store
    /// considers them equal.
    var identity: Identity { get }
    /// The key of a value that was not given a key yet; never stored.
    static var unassigned: Self { get }
    /// The number by which neighbouring keys lie close together in memory, for integers.
    var pageNumber: Int64? { get }
}

/// A key that `create(in:)` can generate: `Int64` in ascending order, `UUID` by time and
/// chance.
public protocol GeneratedKey: EntityKey {
    /// A new key, or `nil` if the store allocates keys in ascending order.
    static func generate() -> Self?
    /// The key for a number that the store allocated, for keys that it allocates.
    init?(sequenceNumber: Int64)
}

extension Int64: GeneratedKey {
    /// 0.
    @inlinable public static var unassigned: Int64 { 0 }
    /// The number itself.
    @inlinable public var identity: Int64 { self }
    /// The number itself.
    @inlinable public var pageNumber: Int64? { self }
    /// `nil`: the store allocates numbers.
    @inlinable public static func generate() -> Int64? { nil }
    /// The number itself.
    @inlinable public init?(sequenceNumber: Int64) { self = sequenceNumber }
}

extension UUID: GeneratedKey {
    /// All zeros.
    public static var unassigned: UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }
    /// The UUID itself.
    @inlinable public var identity: UUID { self }
    /// `nil`.
    public var pageNumber: Int64? { nil }

    /// A UUID of version 7 (RFC 9562): the time in milliseconds, a counter of 12 bits, then 62 random
    /// bits.
    ///
    /// Each is greater than those that the process has generated before, as the store compares them. So
    /// rows that are created one after the other lie side by side in the file.
    public static func generate() -> UUID? {
        let milliseconds = UInt64(max(0, Date().timeIntervalSince1970 * 1000))
        let moment = nextMoment(milliseconds << 12)
        var generator = SystemRandomNumberGenerator()
        let high = (moment >> 12) << 16 | 0x7000 | moment & 0x0FFF
        let low = 0x8000_0000_0000_0000 | generator.next() & 0x3FFF_FFFF_FFFF_FFFF
        return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) {
            UUID(uuid: $0.loadUnaligned(as: uuid_t.self))
        }
    }

    /// The time in milliseconds, times 4,096, plus the counter, of the last UUID that was generated.
    private static let lastMoment = Atomic<UInt64>(0)

    /// The time, or the first moment after the last one: the counter of a millisecond goes on into the
    /// next one, and a clock that was set back is not followed (RFC 9562, section 6.2).
    private static func nextMoment(_ time: UInt64) -> UInt64 {
        var last = lastMoment.load(ordering: .relaxed)
        while true {
            let next = max(time, last + 1)
            let (exchanged, original) = lastMoment.weakCompareExchange(
                expected: last, desired: next, ordering: .relaxed)
            if exchanged { return next }
            last = original
        }
    }

    /// `nil`.
    public init?(sequenceNumber: Int64) { nil }
}

extension String: EntityKey {
    /// The empty text.
    @inlinable public static var unassigned: String { "" }
    /// The text as the store compares it, by its bytes.
    @inlinable public var identity: StoredText { StoredText(self) }
    /// `nil`.
    @inlinable public var pageNumber: Int64? { nil }
}
