import DataRequestCore
// For Thread, since a wait for a process must not hold up a thread that runs tasks.
import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A part as the standard library of Python understands it.
struct ParsedPart: Decodable, Equatable {
    var name: String
    var fileName: String?
    var type: String
    /// In base 64.
    var content: String
    var headers: [String: String]
}

/// Lets Python take a body apart.
enum PythonParser {
    private static let script = """
        import base64, email, email.policy, json, sys
        body, kind, out = sys.argv[1:4]
        raw = b"Content-Type: " + kind.encode() + b"\\r\\n\\r\\n" + open(body, "rb").read()
        message = email.message_from_bytes(raw, policy=email.policy.HTTP.clone(utf8=True))
        assert message.is_multipart() and not message.defects, message.defects
        parts = []
        for part in message.iter_parts():
            assert not part.defects, part.defects
            disposition = part["Content-Disposition"]
            parts.append({
                "name": part.get_param("name", header="Content-Disposition"),
                "fileName": part.get_filename(),
                "type": part.get_content_type() if part["Content-Type"] else "",
                "content": base64.b64encode(part.get_payload(decode=True)).decode(),
                "headers": {k.lower(): str(v) for k, v in part.items()
                            if k.lower() not in ("content-disposition", "content-type")},
            })
        open(out, "w").write(json.dumps(parts))
        """

    /// The parts of a body.
    static func parts(
        of body: Data, contentType: String, in directory: URL
    ) async throws
        -> [ParsedPart]
    {
        let (input, output) = (directory.appending(path: "body"), directory.appending(path: "json"))
        try body.write(to: input)
        let status = try await run(
            ["python3", "-c", script, input.path, contentType, output.path])
        try #require(status == 0, "Python cannot read the body.")
        return try JSONDecoder().decode([ParsedPart].self, from: Data(contentsOf: output))
    }

    /// Runs a program found by the search path, and gives its status.
    static func run(_ words: [String]) async throws -> Int32 {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try spawn(words) })
            }
        }
    }

    private struct NotStarted: Error { var code: Int32 }

    private static func spawn(_ words: [String]) throws -> Int32 {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The threads of a pool block signals, which a child would inherit.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let variables = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var id: pid_t = 0
        let code = posix_spawnp(&id, words[0], nil, &attributes, &arguments, &environment)
        guard code == 0 else { throw NotStarted(code: code) }
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return status
    }
}
