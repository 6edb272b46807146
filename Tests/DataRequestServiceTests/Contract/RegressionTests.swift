#if Requests
import DataRequestService
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// What older services of the kind got wrong.
@Suite(.generousTimeLimit) struct RegressionTests {
    @Test func `an upload sends the file and not the parameters, and the data call gets the data`()
        async throws
    {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data("of the file".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await withPeer { base in
            try await withService(base) { service in
                let upload = DataRequest(.put, "echo").query("parameter", "1").upload(file: file)
                let uploaded = try await service.decode(Echo.self, from: upload)
                #expect(uploaded.text == "of the file")
                let data = try await service.data(
                    for: DataRequest(.post, "gunzip").body(.data(Data("data".utf8))))
                #expect(data == Data("data".utf8))
            }
        }
    }

    @Test func `a download that is answered with 404 is no success and leaves no file`()
        async throws
    {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try await withPeer { base in
            try await withService(base) { service in
                let error = await expectError(.unexpectedStatus) {
                    _ = try await service.download(DataRequest(.get, "none"), to: file)
                }
                #expect(error?.status == .notFound)
            }
        }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `parameters of a GET to an external host are in its query and not in a body`()
        async throws
    {
        try await withPeer { base in
            try await withPeer { external in
                try await withService(base) {
                    $0.allowsExternalCleartext = true
                } run: { service in
                    let echo = try await service.decode(
                        Echo.self,
                        from: DataRequest(.get, external: external.appending(path: "echo"))
                            .query("a", "1"))
                    #expect(echo.path == "/echo?a=1")
                    #expect(echo.length == 0)
                    #expect(echo.header("content-length") == nil)
                    #expect(echo.header("transfer-encoding") == nil)
                }
            }
        }
    }

    @Test func `a service that is shut down twice at once and then dropped frees all once`()
        async throws
    {
        try await withPeer { base in
            for _ in 0..<20 {
                let service = try DataRequestService(
                    environment: ServerEnvironment("test", baseURL: base),
                    connections: .patient, configuration: .patient)
                _ = try await service.get("echo")
                async let first = service.shutDown(deadline: .zero)
                async let second = service.shutDown(deadline: .zero)
                _ = await (first, second)
            }
        }
    }

    @MainActor
    @Test func `the main actor is free while a download writes to the disk`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let (mayGoOn, goOn) = AsyncStream.makeStream(of: Void.self)
        let (hasArrived, arrived) = AsyncStream.makeStream(of: Void.self)
        try await withRawServer { raw, _ in
            _ = await raw.readHead()
            try await raw.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab")
            arrived.yield()
            // The rest comes when work on the main actor has run, during the download.
            _ = await mayGoOn.first { true }
            try await raw.write("cd")
        } run: { url in
            try await withService(url) { service in
                async let result = service.download(DataRequest(.get, "x"), to: file)
                _ = await hasArrived.first { true }
                await Task { @MainActor in _ = goOn.yield() }.value
                let size = try await result.size
                #expect(size == 4)
            }
        }
        #expect(try Data(contentsOf: file) == Data("abcd".utf8))
    }
}
#endif
