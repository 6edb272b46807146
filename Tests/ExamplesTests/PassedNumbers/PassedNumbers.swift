import Foundation
import Testing

/// The numbers and durations that the public interface takes from its callers, read from the list of all public
/// declarations.
///
/// A name is that of the type, the member and the parameter, as in `Query.page(size)`. A property that is also a
/// parameter of an initialiser counts once.
enum PassedNumbers {
    /// Types that the package makes and hands out; a caller makes them in tests alone.
    private static let reports: Set = [
        "BackgroundFailure", "DecodedContent", "DownloadProgress", "DownloadResult",
        "LoggedStatement", "LostChanges", "OfflineQueue.Counts", "OfflineQueue.DeliveryReport",
        "ProblemDetails", "QueryUse", "QueuedRequest", "RecordingTransport.Sent",
        "RefusedSource", "SearchResult", "ShutdownReport", "StoreHealth", "StoreHealth.Read",
        "SyncProgress", "SyncRefusal", "SyncReport", "ValidationFailure",
    ]
    /// Modules, members and parameters that the code of the macros and of backends calls.
    private static let modulesOfBackends: Set = ["SkiathosStore", "SkiathosSQLite"]
    private static let codeOfMacros: Set = [
        "bind", "decodeRows", "read", "init(column)", "init(sequenceNumber)", "Column.init(_)",
    ]
    /// The numbers that are reported to closures, and not passed in.
    private static let reported: Set = ["onUploadProgress(_)"]

    /// All names.
    static func all() throws -> Set<String> {
        var names: Set<String> = []
        for path in try PackageDirectory.files("txt", under: "Tests/API/Baseline") {
            let module = path.split(separator: "/").last?.dropLast(4) ?? ""
            guard !modulesOfBackends.contains(String(module)) else { continue }
            for line in try PackageDirectory.text(of: path).split(separator: "\n") {
                names.formUnion(self.names(in: line))
            }
        }
        return names
    }

    private static func names(in line: Substring) -> [String] {
        guard let bar = line.firstRange(of: " | ") else { return [] }
        let owner = line[..<bar.lowerBound].prefix { $0 != " " }
        let declaration = line[bar.upperBound...]
        guard !reports.contains(String(owner)) else { return [] }
        if let property = declaration.wholeMatch(
            of: /.*\bvar (\w+): (Int|Int64|Double|Duration)\??/)
        {
            return ["\(owner).\(property.1)"]
        }
        guard let member = declaration.firstMatch(of: /\b(?:func (\w+)|(init|subscript)\b)/) else {
            return []
        }
        let name = member.1 ?? member.2 ?? ""
        let parameter = /[(,] ?(\w+)(?: \w+)?: (?:Int|Int64|Double|Duration)\??(?=[ ,)=])/
        return declaration.matches(of: parameter).compactMap { match in
            let label = match.1
            let whole = "\(name)(\(label))"
            guard !reported.contains(whole),
                codeOfMacros.isDisjoint(with: [String(name), whole, "\(owner).\(whole)"])
            else { return nil }
            return name == "init" ? "\(owner).\(label)" : "\(owner).\(whole)"
        }
    }
}

/// A use of numbers that are passed in, which is tried with both ends of their type and what lies in between.
struct NumberUse: Sendable, CustomTestStringConvertible {
    let names: Set<String>
    var testDescription: String { names.sorted().joined(separator: ", ") }
    let run: @Sendable () async -> [String]

    static let counts = [Int.min, .min + 1, -1, 0, 1, .max - 1, .max]
    static let times: [Duration] = [
        Duration(secondsComponent: .min, attosecondsComponent: 0), .seconds(-1), .zero,
        .nanoseconds(1), .seconds(Int64.max / 2),
        Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
    ]
    static let reals = [
        -Double.infinity, -.greatestFiniteMagnitude, -1, 0, .leastNonzeroMagnitude,
        .greatestFiniteMagnitude, .infinity, .nan,
    ]

    /// Runs a use with each number; an error is an answer, but one with the code `backend` is none.
    private init<Number: Sendable>(
        _ names: [String], _ numbers: [Number],
        _ use: @escaping @Sendable (Number) async throws -> Void
    ) {
        self.names = Set(names)
        run = {
            var problems: [String] = []
            for number in numbers {
                do { try await use(number) } catch {
                    let text = "\(error)"
                    if text.contains("(backend)") {
                        problems.append("\(names[0]), \(number): \(text)")
                    }
                }
            }
            return problems
        }
    }

    static func count(
        _ names: [String], use: @escaping @Sendable (Int) async throws -> Void
    ) -> NumberUse { NumberUse(names, counts, use) }

    static func time(
        _ names: [String], use: @escaping @Sendable (Duration) async throws -> Void
    ) -> NumberUse { NumberUse(names, times, use) }

    static func real(
        _ names: [String], use: @escaping @Sendable (Double) async throws -> Void
    ) -> NumberUse { NumberUse(names, reals, use) }
}
