#if Macros && Requests
import Foundation
import ServerTestKit

@testable import NotesServerKit

/// A client that posts notes, one after the other, until the server stops listening.
struct Client {
    /// The outcomes of the notes of one or more clients.
    struct Report: Sendable {
        /// Those that were answered 201.
        var acknowledged: [Note] = []
        /// The texts of those that were answered 503.
        var refused: [String] = []
        /// The texts of those whose connection ended without an answer.
        var unanswered: [String] = []
        /// Everything that should not happen.
        var problems: [String] = []

        static func + (left: Report, right: Report) -> Report {
            Report(
                acknowledged: left.acknowledged + right.acknowledged,
                refused: left.refused + right.refused,
                unanswered: left.unanswered + right.unanswered,
                problems: left.problems + right.problems)
        }
    }

    let number: Int
    let port: UInt16

    /// Posts until the connection is refused, blocking the thread.
    ///
    /// - Parameter whenAcknowledged: Called after each note that was answered 201.
    func run(whenAcknowledged: () -> Void) -> Report {
        var report = Report()
        var connection: Connection?
        for count in 0... {
            let text = text(count)
            do {
                let open = try connection ?? Connection(port: port)
                connection = open
                let answer = try open.send(
                    "POST", "/notes" + Self.queries[count % Self.queries.count],
                    body: try JSONEncoder().encode(["text": text]))
                switch answer.status {
                case 201:
                    let note = try answer.note()
                    if note.text != text { report.problems.append("a foreign note: \(note)") }
                    report.acknowledged.append(note)
                    whenAcknowledged()
                case 503: report.refused.append(text)
                default: report.problems.append("status \(answer.status)")
                }
                if answer.headers["connection"] == "close" { connection = nil }
            } catch Connection.Failure.refused {
                return report
            } catch Connection.Failure.unanswered {
                report.unanswered.append(text)
                connection = nil
            } catch {
                report.problems.append("\(error)")
                return report
            }
        }
        return report
    }

    private static let queries = ["", "?acknowledge=committed", "?acknowledge=durable"]

    /// A text of some length that no other note has, so that every wrong byte shows.
    private func text(_ count: Int) -> String {
        let name = "client \(number) note \(count) "
        return name + String(repeating: name, count: (number * 31 + count * 7) % 50)
    }
}
#endif
