#if RequestCore
extension ByteStream {
    /// Reads a short rest, so that its connection can be reused.
    ///
    /// A rest that is long, of unknown length or broken is dropped, which ends the exchange.
    func discard(upTo limit: Int64 = 64 << 10) async {
        guard let length, length > 0, length <= limit else { return }
        var read = 0
        do {
            for try await piece in self {
                read += piece.count
                if read > limit { return }
            }
        } catch {
            // The response is not used, so a failure of its body does not concern the request.
        }
    }
}
#endif
