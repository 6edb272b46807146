#if Macros && Hummingbird
import Foundation
import HTTPTypes
import Hummingbird

/// The page and what it loads, as they lie in `Page`.
struct PageFiles: Sendable {
    private struct File: Sendable {
        let path: RouterPath
        let type: String
        let content: ByteBuffer
    }

    private let files: [File]

    /// Reads the files.
    ///
    /// - Throws: If one of them is missing, as when the program was moved without its resources.
    init() throws {
        files = try [
            ("/", "index.html", "text/html; charset=utf-8"),
            ("/board.css", "board.css", "text/css; charset=utf-8"),
            ("/board.js", "board.js", "text/javascript; charset=utf-8"),
            ("/drag.js", "drag.js", "text/javascript; charset=utf-8"),
            ("/model.js", "model.js", "text/javascript; charset=utf-8"),
            ("/icon.svg", "icon.svg", "image/svg+xml"),
        ].map { path, name, type in
            let file = Bundle.module.bundleURL.appendingPathComponent("Page/\(name)")
            return File(
                path: RouterPath(path), type: type,
                content: ByteBuffer(bytes: try Data(contentsOf: file)))
        }
    }

    func addRoutes(to router: Router<BoardContext>) {
        for file in files {
            router.get(file.path) { _, _ in
                Response(
                    status: .ok, headers: Self.headers(file.type),
                    body: ResponseBody(byteBuffer: file.content))
            }
        }
    }

    /// The page loads nothing from elsewhere, runs no script but its own, and is shown in no frame.
    private static func headers(_ type: String) -> HTTPFields {
        var headers: HTTPFields = [.contentType: type, .cacheControl: "no-cache"]
        let policy = """
            default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
            connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
            """
        for (name, value) in [
            ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
        ] {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return headers
    }
}
#endif
