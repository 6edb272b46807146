#if RequestCore
public import SkiathosPlatformFoundation

extension DataRequestService {
    /// The elements of an answer, decoded one by one while it streams in.
    ///
    /// ```swift
    /// let request = DataRequest(.get, "tracks")
    /// for try await track in service.elements(of: Track.self, from: request, at: .key("items")) {
    ///     print(track.name)   // the first one before the last one was sent
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - request: The request, which is sent when the first element is read.
    ///   - place: Where in the document the elements stand.
    ///   - limits: How large the parts may be that are held in memory.
    ///   - decoder: Decodes each element, and is not to be changed afterwards; `Configuration.decoder`
    ///     unless given.
    public func elements<Element: Decodable & Sendable>(
        of type: Element.Type, from request: DataRequest, at place: ElementPlace = .array,
        limits: ElementLimits = ElementLimits(), decoder: JSONDecoder? = nil
    ) -> JSONElements<Element> {
        JSONElements(at: place, limits: limits, decoder: decoder ?? configuration.decoder) {
            try await self.response(for: request)
        }
    }
}

extension IncomingResponse {
    /// The elements of the body, decoded one by one while it streams in; it can be read once.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - place: Where in the document the elements stand.
    ///   - limits: How large the parts may be that are held in memory.
    ///   - decoder: Decodes each element; not to be changed afterwards.
    public func elements<Element: Decodable & Sendable>(
        of type: Element.Type, at place: ElementPlace = .array,
        limits: ElementLimits = ElementLimits(), decoder: JSONDecoder = JSONDecoder()
    ) -> JSONElements<Element> {
        JSONElements(at: place, limits: limits, decoder: decoder) { self }
    }
}
#endif
