#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosPlatformFoundation
import Testing

struct LifetimeStressTests {
    @Test func `calls that end while their progress is reported free each thing once`() async throws
    {
        try await withFiles { directory in
            let source = directory.appending(path: "source")
            try Data(repeating: 1, count: 200_000).write(to: source)
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<200 {
                    group.addTask { await Self.transfer(index, source, directory) }
                }
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(left.allSatisfy { $0 == "source" || $0.hasPrefix("copy") })
        }
    }

    /// Uploads and downloads at once, and is cancelled at some point of it.
    private static func transfer(_ index: Int, _ source: URL, _ directory: URL) async {
        let work = Task {
            let transport = RecordingTransport(clock: HurriedClock())
                .on(.put, "*", .text("ok"))
                .on(.get, "*", .data(Data(count: 200_000)).inPieces(of: 9_000))
            let service = try BodyFixture(transport).service
            async let upload = service.data(
                for: DataRequest(.put, "x").upload(file: source).gzipped()
                    .onUploadProgress { _, _ in if index.isMultiple(of: 3) { stop() } })
            async let download = service.download(
                DataRequest(.get, "x"), to: directory.appending(path: "copy\(index)"),
                onProgress: { _ in if index.isMultiple(of: 5) { stop() } })
            _ = try await (upload, download)
        }
        if index.isMultiple(of: 7) { work.cancel() }
        _ = await work.result
    }

    /// Cancels the task that reports.
    private static func stop() { withUnsafeCurrentTask { $0?.cancel() } }
}
#endif
