#if RequestCore
extension ByteStream {
    /// Reads a short rest, so that its connection can be used again; what is long, of unknown
    /// length or broken is dropped, which ends the exchange.
    func discard(upTo limit: Int64 = 64 << 10) async {
        guard let length, length > 0, length <= limit else { return }
        var read = 0
        do {
            for try await piece in self {
                read += piece.count
                if read > limit { return }
            }
        } catch {
            // The answer is not used: how it ends says nothing about the request.
        }
    }
}
#endif
