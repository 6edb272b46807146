#if Requests
import DataRequestService
import Foundation
import RequestTestKit
import Spawning

/// Runs nginx over HTTP/2, with files of the test's choice, while the closure runs.
///
/// - Parameters:
///   - server: What stands in the block of the server.
///   - files: What lies below its directory `www`.
func withNginx(
    _ server: String, files: [String: Data] = [:],
    run: @Sendable (Peer, SecurityPolicy) async throws -> Void
) async throws {
    let authority = try TestAuthority()
    let issued = try authority.issue()
    try await withPeer(.nginx) { directory, port in
        for (name, data) in files {
            let file = directory.appending(path: "www/\(name)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: file)
        }
        try Data(issued.pem.utf8).write(to: directory.appending(path: "certificate.pem"))
        try Data(issued.keyPEM.utf8).write(to: directory.appending(path: "key.pem"))
        let text = """
            daemon off;
            pid \(directory.path)/pid;
            error_log stderr error;
            worker_processes 2;
            events { worker_connections 1024; }
            http {
              access_log off;
              client_body_temp_path \(directory.path)/body;
              proxy_temp_path \(directory.path)/proxy;
              fastcgi_temp_path \(directory.path)/fastcgi;
              uwsgi_temp_path \(directory.path)/uwsgi;
              scgi_temp_path \(directory.path)/scgi;
              server {
                listen 127.0.0.1:\(port) ssl http2;
                ssl_certificate \(directory.path)/certificate.pem;
                ssl_certificate_key \(directory.path)/key.pem;
                root \(directory.path)/www;
                \(server)
              }
            }
            """
        let configuration = directory.appending(path: "nginx.conf")
        try Data(text.utf8).write(to: configuration)
        return ["-e", "stderr", "-c", configuration.path, "-p", directory.path]
    } run: { peer in
        try await run(peer, SecurityPolicy(trust: authority.trust))
    }
}
#endif
