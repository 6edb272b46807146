#if Macros
import Testing

/// What plain SQL says to a question, in the form in which the example prints it.
struct ExpectedAnswer: Sendable, CustomTestStringConvertible {
    /// The name of the question.
    let name: String
    /// How many statements the answer may take.
    let statements: Int
    let sql: String

    init(_ name: String, statements: Int = 1, _ sql: String) {
        self.name = name
        self.statements = statements
        self.sql = sql
    }

    var testDescription: String { name }

    static let all = customers + sales + catalogue + playlists + staff + search
}

/// An amount, which the store keeps as text, in cents.
func cents(_ amount: String) -> String { "CAST(round(CAST(\(amount) AS REAL) * 100) AS INTEGER)" }

/// Cents as the example prints them.
func money(_ cents: String) -> String { "printf('%d.%02d', (\(cents)) / 100, (\(cents)) % 100)" }

/// The mean of cents, rounded half away from zero, as the example prints it.
func meanMoney(_ cents: String) -> String {
    money("(2 * sum(\(cents)) + count(*)) / (2 * count(*))")
}

/// A number of sixtieths, such as 1:05.
func pair(_ number: String) -> String { "printf('%d:%02d', (\(number)) / 60, (\(number)) % 60)" }

/// A part in percent with one decimal, rounded half up.
func share(_ part: String, of whole: String) -> String {
    let tenths = "((\(part)) * 2000 + (\(whole))) / ((\(whole)) * 2)"
    return "printf('%d.%d %%', \(tenths) / 10, \(tenths) % 10)"
}

/// A date, which the store keeps in seconds since 2001.
func day(_ date: String) -> String { "date(\(date) + 978307200, 'unixepoch')" }

/// A part of a date as a number, by its letter in `strftime`.
func part(_ letter: String, of date: String) -> String {
    "CAST(strftime('%\(letter)', \(date) + 978307200, 'unixepoch') AS INTEGER)"
}
#endif
