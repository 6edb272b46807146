#if RequestCore
/// The place of the streamed elements in a document.
///
/// ```swift
/// service.elements(of: Track.self, from: request, at: .key("data.items"))
/// // {"data": {"items": [{…}, {…}], "total": 2}, "next": "…"}
/// ```
public struct ElementPlace: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// The elements of the array that stands below keys; without any, of the document itself.
        case array([String])
        case lines
    }

    let kind: Kind

    /// The document is an array, and these are its elements.
    public static let array = ElementPlace(kind: .array([]))

    /// The elements of an array inside objects, by the names of the keys joined by dots.
    public static func key(_ path: String) -> ElementPlace {
        keys(path.parts(at: "."))
    }

    /// The elements of an array inside objects, by keys that may have dots in them.
    public static func keys(_ path: [String]) -> ElementPlace { ElementPlace(kind: .array(path)) }

    /// Each line is an element, as in `application/x-ndjson`; empty lines count for nothing.
    public static let lines = ElementPlace(kind: .lines)
}

/// Size limits of the parts of a document that are held in memory while it streams in.
public struct ElementLimits: Sendable, Hashable {
    /// The largest element, in bytes; 1 MiB by default.
    public var elementSize = 1 << 20
    /// How deep objects and arrays may be nested; 512 by default, as in `JSONDecoder`.
    public var depth = 512
    /// The largest size of everything around the elements, in bytes; 64 KiB by default.
    public var envelopeSize = 64 << 10

    /// Makes limits with the defaults.
    public init() {}
}
#endif
