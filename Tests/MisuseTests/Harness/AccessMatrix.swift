import Foundation

/// Calls of reads and writes with every kind of result, in every place where a call can stand.
///
/// Each line of a generated program is one call, so that one run of the compiler judges them all.
struct AccessMatrix {
    /// A closure that is handed to a read or write, and what becomes of its result.
    struct Body {
        enum Result {
            /// Nothing, or a value that may be ignored.
            case ignorable
            /// A value that should be used.
            case value
            /// An object that the closure creates as its only expression.
            case created
            /// An object, or a value that holds one.
            case object
        }

        let result: Result
        let text: String

        init(_ result: Result, _ text: String) {
            self.result = result
            self.text = text
        }
    }

    /// What the compiler must say about a line.
    enum Verdict: Equatable {
        case accepted
        /// Accepted, if need be with warnings that hold this text.
        case mayWarn(String)
        /// Warned of, in this text.
        case warned(String)
        /// Refused with an error that holds this text.
        case refused(String)
    }

    struct Line {
        let text: String
        let verdict: Verdict
    }

    /// A place for a call, in which `CALL` stands for it.
    struct Place {
        enum Use {
            /// The call is a statement, whose result is not used.
            case statement
            /// The place wants nothing, so the call, or its closure, may give up its result.
            case nothing
            /// The result must be `Void`, so only the closure may give up its own.
            case void
            /// The result is used, whatever it is.
            case result
        }

        let use: Use
        let text: String

        init(_ use: Use, _ text: String) {
            self.use = use
            self.text = text
        }
    }
}

// MARK: - What is combined

extension AccessMatrix.Body {
    static let writes = [
        Self(.ignorable, "{ _ in }"),
        Self(.ignorable, "{ try User.deleteAll(in: $0) }"),
        Self(.ignorable, "{ try User.find(1, in: $0)?.age = 1 }"),
        Self(.ignorable, "{ try User.find(1, in: $0)?.delete() }"),
        Self(.ignorable, "{ _ = try User.all(in: $0) }"),
        Self(.ignorable, "{ let user = try User.create(in: $0); user.age = 1 }"),
        Self(.ignorable, "{ for user in try User.all(in: $0) { user.age += 1 } }"),
        Self(.value, "{ try User.create(in: $0).id }"),
        Self(.value, "{ try User.find(1, in: $0)?.value }"),
        Self(.value, "{ (try User.create(in: $0).id, try User.count(in: $0)) }"),
        Self(.value, "{ try User.all(in: $0).map(\\.value) }"),
        Self(.value, "{ let user = try User.create(in: $0); return user.id }"),
        Self(.created, "{ try User.create(in: $0) }"),
        Self(.created, "{ try User.create(in: $0) { $0.name = \"Ada\" } }"),
        Self(.created, "{ try User.insert(User(), in: $0) }"),
        Self(.object, "{ return try User.create(in: $0) }"),
        Self(.object, "{ let user = try User.create(in: $0); return user }"),
        Self(.object, "{ try User.find(1, in: $0) }"),
        Self(.object, "{ try User.first(in: $0) }"),
        Self(.object, "{ return try User.first(in: $0) }"),
        Self(.object, "{ try User.all(in: $0) }"),
        Self(.object, "{ [try User.create(in: $0)] }"),
        Self(.object, "{ try User.all(in: $0).prefix(2) }"),
        Self(.object, "{ [1: try User.create(in: $0)] }"),
        Self(.object, "{ try User.find([1, 2], in: $0) }"),
        Self(.object, "{ (1, try User.create(in: $0)) }"),
        Self(.object, "{ (try User.first(in: $0), 1) }"),
        Self(.object, "{ (count: 1, user: try User.create(in: $0), name: \"\") }"),
        Self(.object, "{ let user = try User.create(in: $0); return (user.id, user) }"),
    ]

    static let reads = [
        Self(.ignorable, "{ _ in }"),
        Self(.ignorable, "{ print(try User.count(in: $0)) }"),
        Self(.ignorable, "{ for user in try User.all(in: $0) { print(user.name) } }"),
        Self(.value, "{ try User.count(in: $0) }"),
        Self(.value, "{ try User.all(in: $0) }"),
        Self(.value, "{ (try User.first(in: $0), 1) }"),
        Self(.value, "{ let user = try User.first(in: $0); return user?.id }"),
    ]

    /// Whether it is a single expression, so that it may be taken for a closure without a result.
    var isExpression: Bool { !text.contains("return ") }

    /// The same closure as the step of a chain, which takes a value too.
    var asStep: Self {
        Self(
            result,
            "{ context, _ in"
                + text.dropFirst().replacing("_ in", with: "")
                .replacing("in: $0)", with: "in: context)"))
    }
}

extension AccessMatrix.Place {
    static let asynchronous = [
        Self(.statement, "try await CALL"),
        Self(.result, "use(try await CALL)"),
        Self(.result, "let result = try await CALL; use(result)"),
        Self(.result, "async let result = CALL; use(try await result)"),
        Self(.result, "use(try await generic { try await CALL })"),
        Self(.result, "let task = Task { try await CALL }; use(try await task.value)"),
        Self(.void, "let result: Void = try await CALL; use(result)"),
        Self(.nothing, "group.addTask { try await CALL }"),
        Self(.nothing, "bodies.append { try await CALL }"),
        Self(.nothing, "try await plain { try await CALL }"),
        Self(
            .nothing, "let body: () async throws -> Void = { try await CALL }; try await body()"),
        Self(.nothing, "func body() async throws { try await CALL }; try await body()"),
        Self(.nothing, "tasks.append(Task { try await CALL })"),
    ]

    static let blocking = [
        Self(.statement, "try CALL"),
        Self(.result, "use(try CALL)"),
        Self(.result, "let result = try CALL; use(result)"),
        Self(.result, "use(try genericBlocking { try CALL })"),
        Self(.void, "let result: Void = try CALL; use(result)"),
        Self(.nothing, "try plainBlocking { try CALL }"),
        Self(.nothing, "let body: () throws -> Void = { try CALL }; try body()"),
        Self(.nothing, "func body() throws { try CALL }; try body()"),
        Self(.nothing, "bodies.append { try CALL }"),
    ]
}

extension AccessMatrix {
    /// The calls of asynchronous code, and those of code that blocks.
    static let asynchronous = lines(Place.asynchronous)
    static let blocking = lines(Place.blocking)

    private static func lines(_ places: [Place]) -> [Line] {
        let writes = ["write", "write(acknowledging: .merged)", "write(budget: budget)"]
            .flatMap { verb in Body.writes.map { ("dal.\(verb) \($0.text)", $0) } }
        let reads = ["read", "read(budget: budget)"]
            .flatMap { verb in Body.reads.map { ("dal.\(verb) \($0.text)", $0) } }
        let chains = Body.writes.filter { $0.result != .object }.flatMap { body in
            [
                (
                    "dal.write \(body.text).write { \(body.result == .value ? "_, _" : "_") in }",
                    Body(.ignorable, "")
                ),
                ("dal.read { _ in }.write \(body.text)", body),
                ("chain.write \(body.asStep.text)", body.asStep),
            ]
        }
        let steps = Body.writes.filter { $0.result == .object }
            .map { ("chain.write \($0.asStep.text)", $0.asStep) }
        return (writes + reads + chains + steps).flatMap { call, body in
            places.compactMap { place in
                // A read whose value is not wanted is of no use, and a budget makes the compiler
                // discard some objects with a warning.
                if place.use == .nothing {
                    if body.result == .value, call.contains(".read") { return nil }
                    if body.result == .object, call.contains("budget") { return nil }
                }
                return Line(
                    text: place.text.replacing("CALL", with: call),
                    verdict: verdict(on: body, at: place, call))
            }
        }
    }

    private static func verdict(on body: Body, at place: Place, _ call: String) -> Verdict {
        let sentence = "an object stays in the write that made it"
        let isRead = call.contains("read {") && !call.contains("write")
        let isNamed = place.text.hasPrefix("let result =")
        return switch (body.result, place.use) {
        case (.object, .void) where body.isExpression: .warned("unused")
        case (.value, .void) where body.isExpression: .warned("unused")
        case (.object, .void), (.value, .void): .refused("Void'")
        // Of literals in a closure with a budget the compiler says that `Any` cannot be returned.
        case (.object, _): .refused(call.contains("budget") ? "" : sentence)
        case (.value, .nothing): .mayWarn("unused")
        case (.value, .statement): isRead ? .warned("unused") : .accepted
        case (.created, .result) where isNamed: .warned("inferred to have type '()'")
        case (.ignorable, .result) where isNamed: .mayWarn("inferred to have type '()")
        default: .accepted
        }
    }
}

// MARK: - Judging

extension AccessMatrix {
    private static let prelude = """
        // Calls of reads and writes, one to a line.
        import Skiathos
        func use<T>(_ value: T) {}
        func generic<T: Sendable>(_ body: @Sendable () async throws -> T) async rethrows -> T {
            try await body()
        }
        func plain(_ body: @Sendable () async throws -> Void) async rethrows { try await body() }
        func genericBlocking<T>(_ body: () throws -> T) rethrows -> T { try body() }
        func plainBlocking(_ body: () throws -> Void) rethrows { try body() }
        typealias Dal = DataAccessLayer
        let budget = QueryBudget(rows: 1)

        """

    /// Writes a program with a function for each line.
    static func program(of lines: [Line]) throws -> Program {
        let functions = lines.enumerated().map { index, line in
            let isAsync = line.text.contains("await")
            let parameters =
                isAsync
                ? "_ group: inout ThrowingTaskGroup<Void, any Error>, "
                    + "_ bodies: inout [@Sendable () async throws -> Void], "
                    + "_ tasks: inout [Task<Void, any Error>]"
                : "_ bodies: inout [() throws -> Void]"
            return "func f\(index)(_ dal: Dal, _ chain: Chained<Int>, \(parameters))"
                + "\(isAsync ? " async" : "") throws { \(line.text) }"
        }
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("skiathos-matrix-" + UUID().uuidString + ".swift")
        try (prelude + functions.joined(separator: "\n"))
            .write(to: file, atomically: true, encoding: .utf8)
        return try Program(path: file.path)
    }

    /// The lines about which the compiler has said something else than it must.
    static func objections(
        to outcome: Compiler.Outcome, of lines: [Line], in program: Program
    ) -> [String] {
        let first = prelude.count { $0 == "\n" } + 1
        var said: [Int: [Diagnostic]] = [:]
        var objections: [String] = []
        for diagnostic in Diagnostic.all(in: outcome.output) where diagnostic.kind != .note {
            let index = diagnostic.line - first
            if diagnostic.path == program.path, lines.indices.contains(index) {
                said[index, default: []].append(diagnostic)
            } else {
                objections.append(diagnostic.description(for: program))
            }
        }
        for (index, line) in lines.enumerated() {
            let diagnostics = said[index] ?? []
            guard !line.verdict.isMet(by: diagnostics) else { continue }
            let found = diagnostics.map { "\($0.kind.rawValue): \($0.message)" }
            objections.append("\(line.text): expected \(line.verdict), found \(found)")
        }
        return objections
    }
}

extension AccessMatrix.Verdict {
    fileprivate func isMet(by diagnostics: [Diagnostic]) -> Bool {
        let errors = diagnostics.filter { $0.kind == .error }
        switch self {
        case .accepted: return diagnostics.isEmpty
        case .mayWarn(let text):
            return errors.isEmpty && diagnostics.allSatisfy { $0.message.hasPart(text) }
        case .warned(let text):
            return errors.isEmpty && !diagnostics.isEmpty
                && diagnostics.allSatisfy { $0.message.hasPart(text) }
        case .refused(let text):
            return !errors.isEmpty && errors.allSatisfy { $0.message.hasPart(text) }
        }
    }
}

extension String {
    fileprivate func hasPart(_ text: String) -> Bool { text.isEmpty || contains(text) }
}
