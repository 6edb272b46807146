#if RequestCore
import HTTPTypes
import SkiathosPlatformFoundation

/// What a `RecordingTransport` answers to requests of a method and a path.
struct TransportRule: Sendable, CustomStringConvertible {
    let method: HTTPRequest.Method?
    let path: String
    /// The answers that are left; the last one stays.
    private var answers: [ScriptedAnswer]

    init(method: HTTPRequest.Method?, path: String, answers: [ScriptedAnswer]) {
        self.method = method
        self.path = path
        self.answers = answers
    }

    var description: String { "\(method?.rawValue ?? "any method") \(path)" }

    func fits(_ request: OutgoingRequest) -> Bool {
        guard method == nil || method == request.method else { return false }
        let asked = request.url.path
        return path.ends(with: "*")
            ? asked.begins(with: path.dropping(last: 1)) : asked.equals(path)
    }

    /// The next answer.
    mutating func next() -> ScriptedAnswer? {
        answers.count > 1 ? answers.removeFirst() : answers.first
    }
}
#endif
