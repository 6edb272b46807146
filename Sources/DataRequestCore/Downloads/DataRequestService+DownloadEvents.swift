#if RequestCore
public import SkiathosPlatformFoundation

/// An event of a running download.
public enum DownloadEvent: Sendable {
    /// More of the file was written.
    case progress(DownloadProgress)
    /// The file is in place; nothing follows.
    case finished(DownloadResult)
}

extension DataRequestService {
    /// Downloads a file, and reports its progress as a sequence.
    ///
    /// ```swift
    /// for try await event in service.downloadEvents(DataRequest(.get, "scores/7.pdf"), to: file) {
    ///     if case .progress(let progress) = event { show(progress.fraction) }
    /// }
    /// ```
    ///
    /// The download begins at once, also without a reader. Leaving the loop cancels it and
    /// keeps the received part for a later call. A slow reader misses older reports, but never
    /// the last event. Errors are those of ``download(_:to:options:onProgress:)``.
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
