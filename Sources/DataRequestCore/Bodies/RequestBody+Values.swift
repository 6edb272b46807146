#if RequestCore
public import SkiathosPlatformFoundation

extension RequestBody {
    /// A value as JSON.
    ///
    /// ```swift
    /// try RequestBody.json(Track(title: "Solace"))   // {"title":"Solace"}, application/json
    /// ```
    ///
    /// The value is encoded at once, so that every attempt sends the same bytes.
    ///
    /// - Throws: `DataRequestError.invalidBody`, which names the place of what cannot be encoded.
    public static func json(
        _ value: some Encodable, encoder: JSONEncoder = JSONEncoder()
    ) throws -> RequestBody {
        try encoding(value, as: "JSON") {
            .data(try encoder.encode(value), contentType: "application/json")
        }
    }

    /// Items as a form, in their order.
    ///
    /// ```swift
    /// RequestBody.form([QueryItem("artist", "Joplin & Co")])   // artist=Joplin+%26+Co
    /// ```
    ///
    /// Written as `application/x-www-form-urlencoded` by the URL standard of the WHATWG; a value
    /// that is nil is an empty one.
    public static func form(_ items: [QueryItem]) -> RequestBody {
        .data(
            Data(FormText.encode(items).utf8), contentType: "application/x-www-form-urlencoded")
    }

    /// The properties of a flat value as a form.
    ///
    /// ```swift
    /// try RequestBody.form(Filter(genre: ["Rag", "Jazz"], year: nil))   // genre=Rag&genre=Jazz
    /// ```
    ///
    /// Lists repeat their name, nil leaves the item out, dates are written in ISO 8601.
    ///
    /// - Throws: `DataRequestError.invalidBody` for a value in a value.
    public static func form(_ value: some Encodable) throws -> RequestBody {
        try encoding(value, as: "a form") { .form(try FormEncoder.items(of: value)) }
    }

    /// A text in UTF-8.
    public static func text(
        _ text: String, contentType: String = "text/plain; charset=utf-8"
    ) -> RequestBody {
        .data(Data(text.utf8), contentType: contentType)
    }

    /// How parameters are written.
    public enum ParameterFormat: Sendable {
        /// An object whose members are texts, or null; a name that comes several times gives a list.
        case json
        /// `application/x-www-form-urlencoded`.
        case form
    }

    /// Parameters in one of the usual formats.
    ///
    /// ```swift
    /// try RequestBody.parameters([QueryItem("a", "1"), QueryItem("b", nil)], as: .json)
    /// // {"a":"1","b":null}
    /// ```
    ///
    /// - Throws: `DataRequestError.invalidBody`.
    public static func parameters(
        _ items: [QueryItem], as format: ParameterFormat
    ) throws -> RequestBody {
        switch format {
        case .form: return .form(items)
        case .json:
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            let values = Dictionary(grouping: items, by: \.name).mapValues { items in
                items.count == 1 ? Parameter.one(items[0].value) : .many(items.map(\.value))
            }
            return try .json(values, encoder: encoder)
        }
    }

    private enum Parameter: Encodable {
        case one(String?)
        case many([String?])

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .one(let value): try container.encode(value)
            case .many(let values): try container.encode(values)
            }
        }
    }

    private static func encoding(
        _ value: some Encodable, as format: String, _ encode: () throws -> RequestBody
    ) throws -> RequestBody {
        do {
            return try encode()
        } catch let error as EncodingError {
            // Not given as the cause, since its text may hold values.
            guard case .invalidValue(_, let context) = error else { throw error }
            throw DataRequestError(
                .invalidBody,
                "\(type(of: value)) cannot be written as \(format): the value at "
                    + "\(CodingPath(context.codingPath)) has no form there.")
        }
    }
}
#endif
