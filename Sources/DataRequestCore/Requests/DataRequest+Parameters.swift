#if RequestCore
import HTTPTypes

extension DataRequest {
    /// Adds parameters: for GET, HEAD and DELETE to the query, for other methods in the body.
    ///
    /// ```swift
    /// DataRequest(.get, "tracks").parameters([QueryItem("genre", "Jazz")])
    /// // GET https://api.example.com/v1/tracks?genre=Jazz
    /// DataRequest(.post, "tracks").parameters([QueryItem("title", "Solace")])
    /// // POST https://api.example.com/v1/tracks    title=Solace
    /// ```
    ///
    /// The rule is the same for external hosts.
    ///
    /// - Parameters:
    ///   - items: The parameters in their order; in the query they are added to those it has.
    ///   - format: How they are written in a body.
    public func parameters(
        _ items: [QueryItem], as format: RequestBody.ParameterFormat = .form
    ) -> DataRequest {
        changed {
            switch method {
            case .get, .head, .delete: $0.query += items
            default:
                do { $0.body = try .parameters(items, as: format) } catch {
                    $0.failure =
                        $0.failure
                        ?? (error as? DataRequestError)
                        ?? DataRequestError(
                            .invalidBody, "Parameters could not be written as a body.",
                            cause: error)
                }
            }
        }
    }
}
#endif
