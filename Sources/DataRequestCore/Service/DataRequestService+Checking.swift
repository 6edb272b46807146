import HTTPTypes

extension DataRequestService {
    /// The answer, if its status is one that the request expects.
    func checked(
        _ response: IncomingResponse, for request: DataRequest
    ) async throws -> IncomingResponse {
        guard !request.expectedStatuses.contains(response.status) else { return response }
        throw DataRequestError(
            .unexpectedStatus, "\(request.method) was answered with \(response.status.code).",
            status: response.status)
    }
}
