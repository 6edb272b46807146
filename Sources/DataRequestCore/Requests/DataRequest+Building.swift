#if RequestCore
public import HTTPTypes

extension DataRequest {
    /// Adds an item to the query; a name may come several times.
    public func query(_ name: String, _ value: String?) -> DataRequest {
        changed { $0.query.append(QueryItem(name, value)) }
    }

    /// Sets a header, in the place of the ones with its name.
    ///
    /// A value with a line break or another control character makes the request fail with
    /// `invalidHeader` when it is sent, and nothing is sent.
    public func header(_ name: HTTPField.Name, _ value: String) -> DataRequest {
        changed {
            guard HTTPField.isValidValue(value) else {
                $0.failure = $0.failure ?? .invalidHeader(name)
                return
            }
            $0.headers[name] = value
        }
    }

    /// Sets the body.
    public func body(_ body: RequestBody) -> DataRequest {
        changed { $0.body = body }
    }

    /// Sets the statuses that are a success.
    public func expecting(_ statuses: ExpectedStatuses) -> DataRequest {
        changed { $0.expectedStatuses = statuses }
    }

    /// Sets the statuses that are a success.
    public func expecting(_ statuses: HTTPResponse.Status...) -> DataRequest {
        let codes = Set(statuses.map(\.code))
        return expecting(ExpectedStatuses { codes.contains($0) })
    }

    /// Sets the limits of time.
    public func timeLimits(_ limits: RequestOptions.TimeLimits) -> DataRequest {
        changed { $0.options.timeLimits = limits }
    }

    /// Sets how urgent the request is.
    public func priority(_ priority: RequestOptions.Priority) -> DataRequest {
        changed { $0.options.priority = priority }
    }

    /// Names the request for logs, metrics and spans, such as `tracks.list`.
    public func named(_ name: String) -> DataRequest {
        changed { $0.options.name = name }
    }

    func changed(_ change: (inout DataRequest) -> Void) -> DataRequest {
        var copy = self
        change(&copy)
        return copy
    }
}
#endif
