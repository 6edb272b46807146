#if Macros
extension Question {
    /// All questions, in the order of their numbers.
    static let all = [
        topCustomers, topCustomerByCountry, eclecticCustomers, privateCustomers, quietCustomers,
        provinces, tasteByCountry,
        revenueByGenreAndMonth, revenueByQuarter, salesByWeekday, bestSellingArtists,
        invoicesAboveAverage, invoiceCheck, halfAlbumsAtOnce,
        neverSold, halfSoldAlbums, genres, composers, mediaTypes, longestTracks, lengths, catalogue,
        longestPlaylists, popularTracks, shortPlaylists, playlistVariety,
        supportReps, chainOfCommand, reportingLines, seniority,
        loveSongs, bluesArtists,
    ]

    /// The question with a name or number.
    static func find(_ text: String) -> Question? {
        guard let number = Int(text) else { return all.first { $0.name == text } }
        return all.indices.contains(number - 1) ? all[number - 1] : nil
    }
}
#endif
