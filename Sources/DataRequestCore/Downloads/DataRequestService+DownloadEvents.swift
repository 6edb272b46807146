#if RequestCore
public import PlatformFoundation

/// What a download tells while it runs.
public enum DownloadEvent: Sendable {
    /// More of the file is there.
    case progress(DownloadProgress)
    /// The file is in place; nothing follows.
    case finished(DownloadResult)
}

extension DataRequestService {
    /// Downloads a file, and tells how far it is by a sequence.
    ///
    /// ```swift
    /// for try await event in service.downloadEvents(DataRequest(.get, "scores/7.pdf"), to: file) {
    ///     if case .progress(let progress) = event { show(progress.fraction) }
    /// }
    /// ```
    ///
    /// The download begins at once, whether or not somebody reads. Leaving the loop cancels it,
    /// which keeps what has come for a later call. A reader that is slow misses older reports, and
    /// never the last event. Errors are those of ``download(_:to:options:onProgress:)``.
    public func downloadEvents(
        _ request: DataRequest, to destination: URL,
        options: DownloadOptions = DownloadOptions()
    ) -> AsyncThrowingStream<DownloadEvent, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(64)) { continuation in
            let task = Task {
                do {
                    let result = try await download(request, to: destination, options: options) {
                        continuation.yield(.progress($0))
                    }
                    continuation.yield(.finished(result))
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
#endif
