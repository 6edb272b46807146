#if RequestCore
import HTTPTypes

/// Prepares the body of each attempt for the transport.
///
/// Opens files, sets the type, compresses, reports progress and counts the bytes sent.
struct BodyFraming: RequestInterceptor {
    func intercept(_ request: OutgoingRequest, next: Next) async throws -> IncomingResponse {
        var request = request
        let watch = BodyWatch()
        let body = try await request.body.prepared()
        try request.describe(body)
        let progress = request.options.onUploadProgress.map {
            UploadProgress(total: body.length, report: $0)
        }
        // Bytes are counted before compression, and reported when the transport has taken
        // them.
        request.body = body.framed(by: watch).reporting(to: progress)
        try request.compressBody()
        do {
            let response = try await next(request)
            if let failure = watch.failure { throw failure }
            if watch.hasEnded { progress?.finish() }
            return response
        } catch {
            throw watch.failure ?? error
        }
    }
}
#endif
