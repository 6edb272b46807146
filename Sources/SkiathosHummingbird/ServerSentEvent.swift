#if Hummingbird
internal import SkiathosPlatformFoundation

/// One event of an event stream (WHATWG HTML, section 9.2).
///
/// ```swift
/// try ServerSentEvent(data: "[1, 2]", event: "reset", id: "7")
/// // id: 7
/// // event: reset
/// // data: [1, 2]
/// ```
public struct ServerSentEvent: Sendable, Hashable {
    /// What names the state that the client has after the event; the browser sends it as
    /// `Last-Event-ID` when it connects again.
    public let id: String?
    /// The name of the event, for `addEventListener`; without one it is `message`.
    public let event: String?
    /// The text.
    ///
    /// A carriage return alone, or before a line feed, arrives as a line feed.
    public let data: String

    /// Makes an event.
    ///
    /// - Throws: ``ServerSentEventError`` with code `invalidText` for an ID or name with a line break,
    ///   for an empty name, and for the NUL character in any text.
    public init(data: String, event: String? = nil, id: String? = nil) throws {
        try Self.check(data, "data", forbidding: [0])
        if let event { try Self.check(event, "event", forbidding: [0, 10, 13]) }
        if let id { try Self.check(id, "id", forbidding: [0, 10, 13]) }
        guard event?.isEmpty != true else {
            throw ServerSentEventError(
                .invalidText,
                "The event of a server-sent event is empty. Pass nil for one without a name.")
        }
        self.data = data
        self.event = event
        self.id = id
    }

    private static func check(
        _ text: String, _ field: String, forbidding forbidden: [UInt8]
    ) throws {
        guard let byte = text.utf8.first(where: forbidden.contains) else { return }
        let found = byte == 0 ? "the NUL character" : "a line break"
        throw ServerSentEventError(
            .invalidText,
            "The \(field) of a server-sent event contains \(found), which would end it. Leave it out or encode it, for example as JSON."
        )
    }

    /// The event as it is sent, with the empty line that ends it.
    var text: String {
        var text = ""
        if let id { text += "id: \(id)\n" }
        if let event { text += "event: \(event)\n" }
        for line in lines { text += "data: \(line)\n" }
        return text + "\n"
    }

    /// The lines of the data, at least one.
    private var lines: [Substring] {
        var lines: [Substring] = []
        let bytes = data.utf8
        var start = bytes.startIndex
        var index = start
        while index < bytes.endIndex {
            let byte = bytes[index]
            var next = bytes.index(after: index)
            if byte == 10 || byte == 13 {
                lines.append(data[start..<index])
                if byte == 13, next < bytes.endIndex, bytes[next] == 10 {
                    next = bytes.index(after: next)
                }
                start = next
            }
            index = next
        }
        lines.append(data[start...])
        return lines
    }
}
#endif
