#if RequestCore
import DataRequestCore
import Foundation
import Spawning
import Testing

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
        try await run(script, [input.path, contentType, output.path])
        return try JSONDecoder().decode([ParsedPart].self, from: Data(contentsOf: output))
    }

    /// Runs a script to its end.
    static func run(_ script: String, _ arguments: [String]) async throws {
        let process = try SpawnedProcess(["/usr/bin/env", "python3", "-c", script] + arguments)
        let status = await process.end()
        try #require(status.code == 0 && !status.wasKilled, "Python cannot read the body.")
    }
}
#endif
