#if Requests && Macros
import DataRequestPersistence
import DataRequestService
import Foundation
import HTTPTypes
import Skiathos
import SkiathosTesting
import TestSupport
import Testing

@Suite(.generousTimeLimit) struct DatasetteTests {
    @Test(.needs(.datasette))
    func `a table whose pages are linked is synced as a whole`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(
            path: "rows-\(UUID().uuidString).sqlite")
        defer { try? FileManager.default.removeItem(at: file) }
        let theirs = try await DataAccessLayer.open(.sqlite(file.path), entities: [Row.self])
        try await theirs.write { context in
            for number in 1...250 { try Row.create(in: context) { $0.number = number } }
        }
        try await theirs.close()
        let name = file.deletingPathExtension().lastPathComponent
        try await withPeer(.datasette) { _, port in
            ["serve", file.path, "--host", "127.0.0.1", "--port", "\(port)"]
        } run: { peer in
            let service = try DataRequestService(
                environment: ServerEnvironment("datasette", baseURL: try peer.url()))
            let request = DataRequest(.get, "\(name)/row.json").query("_shape", "array")
                .query("_size", "100")
            let (numbers, pages) = try await rows(of: request, over: service)
            #expect(numbers == Array(1...250))
            #expect(pages == 3)
            _ = await service.shutDown(deadline: .zero)
        }
    }
}
#endif
