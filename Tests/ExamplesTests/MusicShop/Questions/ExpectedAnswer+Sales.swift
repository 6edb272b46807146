#if Macros
extension ExpectedAnswer {
    /// A column with the revenue of a month, empty where there was none.
    private static func revenue(month: Int) -> String {
        let amount = "sum(CASE WHEN month = \(month) THEN paid END)"
        return "CASE WHEN \(amount) IS NULL THEN '' ELSE \(money(amount)) END"
    }

    static let sales = [
        ExpectedAnswer(
            "revenue-by-genre-and-month",
            """
            WITH sold AS (
                SELECT genre.name AS genre, \(part("m", of: "date")) AS month,
                    \(cents("invoiceLine.unitPrice")) * quantity AS paid
                FROM invoice JOIN invoiceLine ON invoiceLine.invoice = invoice.id
                JOIN track ON track.id = invoiceLine.track JOIN genre ON genre.id = track.genre
                WHERE \(part("Y", of: "date")) = 2025)
            SELECT genre, \((1...12).map(revenue).joined(separator: ", ")), \(money("sum(paid)"))
            FROM sold GROUP BY genre ORDER BY genre
            """),
        ExpectedAnswer(
            "revenue-by-quarter",
            """
            SELECT \(part("Y", of: "date")), (\(part("m", of: "date")) + 2) / 3, count(*),
                \(money("sum(\(cents("total")))")), \(meanMoney(cents("total"))),
                \(money("max(\(cents("total")))"))
            FROM invoice GROUP BY 1, 2 ORDER BY 1, 2
            """),
        ExpectedAnswer(
            "sales-by-weekday",
            """
            WITH sold AS (SELECT \(part("w", of: "date")) AS day, total FROM invoice)
            SELECT CASE day WHEN 0 THEN 'Sunday' WHEN 1 THEN 'Monday' WHEN 2 THEN 'Tuesday'
                WHEN 3 THEN 'Wednesday' WHEN 4 THEN 'Thursday' WHEN 5 THEN 'Friday'
                ELSE 'Saturday' END, count(*), \(money("sum(\(cents("total")))"))
            FROM sold GROUP BY day ORDER BY day
            """),
        ExpectedAnswer(
            "best-selling-artists",
            """
            SELECT artist.name, count(DISTINCT track.id), sum(quantity),
                \(money("sum(\(cents("invoiceLine.unitPrice")) * quantity)"))
            FROM invoiceLine JOIN track ON track.id = invoiceLine.track
            JOIN album ON album.id = track.album JOIN artist ON artist.id = album.artist
            GROUP BY artist.id HAVING sum(quantity) >= 30
            ORDER BY sum(\(cents("invoiceLine.unitPrice")) * quantity) DESC, artist.id
            """),
        ExpectedAnswer(
            "invoices-above-average", statements: 2,
            """
            SELECT invoice.id, \(day("date")), billingCountry, firstName || ' ' || lastName,
                \(money(cents("total")))
            FROM invoice JOIN customer ON customer.id = invoice.customer
            JOIN (SELECT billingCountry AS land, sum(\(cents("total"))) AS sum, count(*) AS count
                FROM invoice GROUP BY 1) ON land = billingCountry
            WHERE \(cents("total")) * count > 3 * sum
            ORDER BY \(cents("total")) DESC, invoice.id
            """),
        ExpectedAnswer(
            "invoice-check",
            """
            SELECT count(*), sum(\(cents("total")) = lines), sum(\(cents("total")) <> lines)
            FROM invoice JOIN (
                SELECT invoice AS id, sum(\(cents("unitPrice")) * quantity) AS lines
                FROM invoiceLine GROUP BY 1) AS paid ON paid.id = invoice.id
            """),
        ExpectedAnswer(
            "half-albums-at-once",
            """
            WITH bought AS (
                SELECT invoiceLine.invoice, album, count(DISTINCT track.id) AS bought,
                    sum(\(cents("invoiceLine.unitPrice")) * quantity) AS paid
                FROM invoiceLine JOIN track ON track.id = invoiceLine.track GROUP BY 1, 2),
            sizes AS (SELECT album, count(*) AS size FROM track GROUP BY album HAVING count(*) > 1)
            SELECT invoice.id, firstName || ' ' || lastName, title, bought, size, \(money("paid"))
            FROM bought JOIN sizes ON sizes.album = bought.album
            JOIN album ON album.id = bought.album JOIN invoice ON invoice.id = bought.invoice
            JOIN customer ON customer.id = invoice.customer
            WHERE bought * 2 >= size ORDER BY bought DESC, invoice.id, album.id
            """),
    ]
}
#endif
