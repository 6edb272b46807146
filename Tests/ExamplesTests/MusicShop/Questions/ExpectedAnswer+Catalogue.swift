#if Macros
extension ExpectedAnswer {
    static let catalogue = [
        ExpectedAnswer(
            "never-sold",
            """
            SELECT genre.name, count(*), \(money("sum(\(cents("unitPrice")))"))
            FROM track JOIN genre ON genre.id = track.genre
            WHERE track.id NOT IN (SELECT track FROM invoiceLine)
            GROUP BY genre.name ORDER BY count(*) DESC, genre.name
            """),
        ExpectedAnswer(
            "half-sold-albums",
            """
            SELECT title, artist.name, count(*), count(*) - count(sold.track)
            FROM album JOIN artist ON artist.id = album.artist JOIN track ON track.album = album.id
            LEFT JOIN (SELECT DISTINCT track FROM invoiceLine) AS sold ON sold.track = track.id
            GROUP BY album.id HAVING count(sold.track) BETWEEN 1 AND count(*) - 1
            ORDER BY count(*) - count(sold.track) DESC, album.id LIMIT 10
            """),
        ExpectedAnswer(
            "genres",
            """
            SELECT genre.name, count(*), \(meanMoney(cents("unitPrice"))),
                \(pair("sum(milliseconds) / count(*) / 1000"))
            FROM genre JOIN track ON track.genre = genre.id GROUP BY genre.id
            ORDER BY avg(\(cents("unitPrice"))) DESC, avg(milliseconds) DESC, genre.id
            """),
        ExpectedAnswer(
            "composers",
            """
            SELECT composer, count(*), count(DISTINCT album), \(pair("sum(milliseconds) / 60000"))
            FROM track WHERE composer IS NOT NULL
            GROUP BY composer ORDER BY count(*) DESC, composer LIMIT 10
            """),
        ExpectedAnswer(
            "media-types",
            """
            SELECT mediaType.name, count(*),
                \(share("count(*)", of: "(SELECT count(*) FROM track)")), sum(bytes) / 1000000
            FROM mediaType JOIN track ON track.mediaType = mediaType.id
            GROUP BY mediaType.id ORDER BY count(*) DESC, mediaType.id
            """),
        ExpectedAnswer(
            "longest-tracks",
            """
            SELECT track.name, title, artist.name, \(pair("milliseconds / 1000"))
            FROM track JOIN album ON album.id = track.album JOIN artist ON artist.id = album.artist
            JOIN mediaType ON mediaType.id = track.mediaType
            JOIN (SELECT album AS id, max(milliseconds) AS longest FROM track GROUP BY 1) AS most
                ON most.id = album.id AND longest = milliseconds
            WHERE mediaType.name GLOB '*audio*' AND milliseconds >= 900000
            ORDER BY milliseconds DESC, track.id
            """),
        ExpectedAnswer(
            "lengths",
            """
            SELECT CASE WHEN milliseconds < 180000 THEN 'under 3 minutes'
                WHEN milliseconds < 360000 THEN 'under 6 minutes'
                WHEN milliseconds < 900000 THEN 'under 15 minutes' ELSE 'longer' END,
                count(*), \(meanMoney(cents("unitPrice"))), \(pair("sum(milliseconds) / 60000"))
            FROM track GROUP BY 1 ORDER BY max(milliseconds)
            """),
        ExpectedAnswer(
            "catalogue", statements: 3,
            """
            SELECT artist.name, count(DISTINCT album.id), count(*), \(pair("sum(milliseconds) / 60000"))
            FROM artist JOIN album ON album.artist = artist.id JOIN track ON track.album = album.id
            GROUP BY artist.id ORDER BY sum(milliseconds) DESC, artist.name LIMIT 10
            """),
    ]
}
#endif
