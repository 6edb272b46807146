package import Dispatch
import Foundation
import SkiathosLocks
import Synchronization

/// A client of an event stream, with a parser of its own, written after WHATWG HTML, section 9.2.6.
package final class EventClient: Sendable {
    /// What a stream consists of.
    package enum Item: Sendable, Hashable {
        case event(Event)
        case comment(String)
        case retry(Int)
    }

    /// An event as a browser hands it to its page.
    package struct Event: Sendable, Hashable {
        package var name = "message"
        package var data = ""
        package var lastID = ""

        package init(name: String = "message", data: String, lastID: String = "") {
            self.name = name
            self.data = data
            self.lastID = lastID
        }
    }

    /// The head of the answer.
    package let status: Int
    package let headers: [String: String]
    /// What the server sends, up to its end.
    package let items: AsyncStream<Item>

    private let connection: Connection
    private let ending = Ending()

    /// Whether the server has ended the response, and not the connection alone; known when the items
    /// have ended.
    package var hasEndedInOrder: Bool { ending.isInOrder.withLock { $0 } }

    /// Connects, and waits for the head of the answer.
    ///
    /// - Parameter gate: What the client waits for before it reads more than the head, and little
    ///   into its buffer.
    package static func open(
        port: UInt16, _ path: String, lastEventID: String? = nil, gate: DispatchSemaphore? = nil
    ) async throws -> EventClient {
        try await blocking {
            Result { try EventClient(port: port, path, lastEventID: lastEventID, gate: gate) }
        }.get()
    }

    private init(
        port: UInt16, _ path: String, lastEventID: String?, gate: DispatchSemaphore?
    ) throws {
        connection = try Connection(port: port, receiveBuffer: gate.map { _ in 4_096 })
        var headers = ["Accept": "text/event-stream"]
        if let lastEventID { headers["Last-Event-ID"] = lastEventID }
        // Without a length, the head is all that is waited for, and what came with it the body.
        let answer = try connection.send("GET", path, headers: headers)
        var body = ChunkedBody()
        body.add(answer.body)
        status = answer.status
        self.headers = answer.headers
        let (items, continuation) = AsyncStream.makeStream(of: Item.self)
        self.items = items
        var parser = EventParser()
        for item in parser.parse(body.takeBytes()) { continuation.yield(item) }
        let (connection, ending) = (connection, ending)
        let state = (body, parser)
        Thread.detachNewThread {
            gate?.wait()
            var (body, parser) = state
            while !body.isComplete, let bytes = try? connection.receive(), !bytes.isEmpty {
                body.add(bytes)
                for item in parser.parse(body.takeBytes()) { continuation.yield(item) }
            }
            ending.isInOrder.withLock { $0 = body.isComplete && body.isSound }
            continuation.finish()
        }
    }

    deinit { connection.end() }

    /// Goes away, as a browser does whose page is closed.
    package func close() { connection.end() }

    /// The next event, `nil` at the end of the stream; comments and times of reconnection are left
    /// out.
    package func next() async -> Event? {
        for await item in items {
            if case .event(let event) = item { return event }
        }
        return nil
    }
}

extension EventClient {
    /// Waits until as many comments have come; events before them are left out.
    package func waitForComments(_ count: Int) async {
        var comments = 0
        for await item in items where item == .comment("") {
            comments += 1
            if comments >= count { return }
        }
    }
}

/// How a stream has ended.
private final class Ending: Sendable {
    let isInOrder = Lock(false)
}

/// A body with the transfer coding `chunked` (RFC 9112, section 7.1).
struct ChunkedBody {
    private(set) var isComplete = false
    /// Whether everything up to here has had the form of chunks.
    private(set) var isSound = true
    private var input: [UInt8] = []
    private var output: [UInt8] = []

    mutating func add(_ bytes: Data) {
        input += bytes
        while let end = input.firstIndex(of: 10), !isComplete {
            let line = String(decoding: input[..<end], as: UTF8.self)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            guard let size = Int(line, radix: 16) else {
                (isComplete, isSound) = (true, false)
                return
            }
            let start = end + 1
            guard input.count >= start + size + 2 else { return }
            output += input[start..<(start + size)]
            input.removeFirst(start + size + 2)
            if size == 0 { isComplete = true }
        }
    }

    mutating func takeBytes() -> [UInt8] {
        defer { output = [] }
        return output
    }
}

/// Turns the bytes of a stream into events.
struct EventParser {
    private var line: [UInt8] = []
    private var isAfterCarriageReturn = false
    private var name = ""
    private var data = ""
    private var lastID = ""

    mutating func parse(_ bytes: [UInt8]) -> [EventClient.Item] {
        var items: [EventClient.Item] = []
        for byte in bytes {
            defer { isAfterCarriageReturn = byte == 13 }
            switch byte {
            case 10 where isAfterCarriageReturn: break
            case 10, 13:
                if let item = end(String(decoding: line, as: UTF8.self)) { items.append(item) }
                line = []
            default: line.append(byte)
            }
        }
        return items
    }

    private mutating func end(_ line: String) -> EventClient.Item? {
        guard !line.isEmpty else { return dispatch() }
        let colon = line.firstIndex(of: ":") ?? line.endIndex
        let field = line[..<colon]
        var value = colon == line.endIndex ? "" : line[line.index(after: colon)...]
        if value.hasPrefix(" ") { value = value.dropFirst() }
        switch field {
        case "": return .comment(String(value))
        case "event": name = String(value)
        case "data": data += value + "\n"
        case "id": if !value.contains("\0") { lastID = String(value) }
        case "retry": if let time = Int(value) { return .retry(time) }
        default: break
        }
        return nil
    }

    private mutating func dispatch() -> EventClient.Item? {
        defer { (name, data) = ("", "") }
        guard !data.isEmpty else { return nil }
        let event = EventClient.Event(
            name: name.isEmpty ? "message" : name, data: String(data.dropLast()), lastID: lastID)
        return .event(event)
    }
}
