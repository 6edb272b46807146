#if Macros
extension ExpectedAnswer {
    static let customers = [
        ExpectedAnswer(
            "top-customers",
            """
            SELECT firstName || ' ' || lastName, country, count(*), \(money("sum(\(cents("total")))"))
            FROM customer JOIN invoice ON invoice.customer = customer.id
            GROUP BY customer.id ORDER BY sum(\(cents("total"))) DESC, customer.id LIMIT 10
            """),
        ExpectedAnswer(
            "top-customer-by-country",
            """
            WITH spent AS (
                SELECT customer.id, country, firstName || ' ' || lastName AS name,
                    sum(\(cents("total"))) AS spent
                FROM customer JOIN invoice ON invoice.customer = customer.id GROUP BY customer.id),
            ranked AS (
                SELECT *, row_number() OVER (PARTITION BY country ORDER BY spent DESC, id) AS rank
                FROM spent)
            SELECT country, name, \(money("spent")) FROM ranked WHERE rank = 1 ORDER BY country
            """),
        ExpectedAnswer(
            "eclectic-customers",
            """
            SELECT firstName || ' ' || lastName, count(DISTINCT genre), sum(quantity)
            FROM customer JOIN invoice ON invoice.customer = customer.id
            JOIN invoiceLine ON invoiceLine.invoice = invoice.id
            JOIN track ON track.id = invoiceLine.track
            GROUP BY customer.id HAVING count(DISTINCT genre) > 10
            ORDER BY count(DISTINCT genre) DESC, customer.id
            """),
        ExpectedAnswer(
            "private-customers",
            """
            SELECT country, count(*), count(*) - count(company),
                \(share("count(*) - count(company)", of: "count(*)"))
            FROM customer GROUP BY country ORDER BY count(*) DESC, country
            """),
        ExpectedAnswer(
            "quiet-customers",
            """
            SELECT firstName || ' ' || lastName, email, \(day("max(date)"))
            FROM customer JOIN invoice ON invoice.customer = customer.id
            GROUP BY customer.id HAVING \(day("max(date)")) < '2025-07-01'
            ORDER BY max(date), customer.id
            """),
        ExpectedAnswer(
            "provinces",
            """
            SELECT DISTINCT country, coalesce(state, '-') FROM customer ORDER BY 1, 2
            """),
        ExpectedAnswer(
            "taste-by-country",
            """
            WITH sold AS (
                SELECT country, genre.name AS genre, sum(quantity) AS sold
                FROM customer JOIN invoice ON invoice.customer = customer.id
                JOIN invoiceLine ON invoiceLine.invoice = invoice.id
                JOIN track ON track.id = invoiceLine.track JOIN genre ON genre.id = track.genre
                GROUP BY country, genre.name),
            ranked AS (
                SELECT *, row_number() OVER (PARTITION BY country ORDER BY sold DESC, genre) AS rank
                FROM sold)
            SELECT country, genre, sold FROM ranked WHERE rank = 1 ORDER BY country
            """),
    ]
}
#endif
