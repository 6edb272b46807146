#if Macros
extension ExpectedAnswer {
    static let search = [
        ExpectedAnswer(
            "love-songs", statements: 3,
            """
            SELECT track.id, highlight(skiathos_search_track, 0, '[', ']'), title, artist.name
            FROM skiathos_search_track JOIN track ON track.id = skiathos_search_track.rowid
            JOIN album ON album.id = track.album JOIN artist ON artist.id = album.artist
            WHERE skiathos_search_track MATCH 'love AND you' ORDER BY rank, track.id LIMIT 10
            """),
        ExpectedAnswer(
            "blues-artists",
            """
            WITH blues AS (
                SELECT album, count(*) AS count FROM skiathos_search_track
                JOIN track ON track.id = skiathos_search_track.rowid
                WHERE skiathos_search_track MATCH 'blues' GROUP BY album)
            SELECT artist.name, title, (SELECT count(*) FROM track WHERE track.album = album.id),
                coalesce(blues.count, 0)
            FROM album JOIN artist ON artist.id = album.artist
            LEFT JOIN blues ON blues.album = album.id
            WHERE blues.album IS NOT NULL OR album.id IN (
                SELECT rowid FROM skiathos_search_album WHERE skiathos_search_album MATCH 'blue*')
            ORDER BY artist.name, title, album.id
            """),
    ]
}
#endif
