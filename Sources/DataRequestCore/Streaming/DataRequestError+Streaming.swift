#if RequestCore
extension DataRequestError {
    static func malformed(at offset: Int64, expected: String) -> DataRequestError {
        DataRequestError(
            .undecodable,
            "The answer is not the expected JSON: expected \(expected) at byte \(offset). Check what the server sends, and the place of the elements."
        )
    }

    static func truncated(after count: Int64) -> DataRequestError {
        DataRequestError(
            .malformedResponse,
            "The answer ends after \(count) bytes, in the middle of its JSON. Send the request again.",
            retry: .later)
    }

    static func noElements(_ path: [String]) -> DataRequestError {
        DataRequestError(
            .undecodable,
            "The answer has no array at \(name(path)). Check the place of the elements, and what the server sends."
        )
    }

    static func notAnArray(at offset: Int64, _ path: [String]) -> DataRequestError {
        DataRequestError(
            .undecodable,
            "Expected an array at \(name(path)) of the answer, found another value at byte \(offset). Check the place of the elements."
        )
    }

    static func foundTwice(at offset: Int64, _ path: [String]) -> DataRequestError {
        DataRequestError(
            .undecodable,
            "The answer has \(name(path)) a second time, at byte \(offset). A key must not be repeated."
        )
    }

    static func tooLarge(_ what: String, at offset: Int64, _ limit: Int) -> DataRequestError {
        DataRequestError(
            .tooLarge,
            "\(what) of the answer, from byte \(offset) on, has more than \(limit) bytes. Raise the limit if that is right."
        )
    }

    static func tooDeep(at offset: Int64, _ limit: Int) -> DataRequestError {
        DataRequestError(
            .tooLarge,
            "The answer has more than \(limit) objects and arrays inside each other, at byte \(offset). Raise the limit if that is right."
        )
    }

    private static func name(_ path: [String]) -> String {
        path.isEmpty ? "its top" : "\"\(path.joined(separator: "."))\""
    }
}
#endif
