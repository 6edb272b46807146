import SkiathosStore

extension StoreConformanceSuite {
    private static let title = StoreExpression.column(1)

    var functionChecks: [ConformanceCheck] {
        [
            libraryCheck("texts are changed by Unicode's rules, and have no value without one") {
                shelf in
                let found = try shelf.results(
                    of: shelf.book,
                    [
                        (.call(.lowercased, [Self.title]), .text),
                        (.call(.uppercased, [Self.title]), .text),
                        (.call(.trimmed, [Self.title]), .text),
                        (.call(.concatenated, [Self.title, .value(.text("!"))]), .text),
                        (
                            .call(
                                .replacing,
                                [Self.title, .value(.text("l")), .value(.text("ll"))]), .text
                        ),
                        (
                            .call(.replacing, [Self.title, .value(.text("")), .value(.text("x"))]),
                            .text
                        ),
                    ])
                func row(_ texts: String...) -> [StoreValue] { texts.map { .text($0) } }
                try requireEqual(found[0], Array(repeating: .null, count: 6))
                try requireEqual(
                    Array(found[1...]),
                    [
                        row("", "", "", "!", "", ""), row("öl", "ÖL", "Öl", "Öl!", "Öll", "Öl"),
                        row(
                            "öl auf holz", "ÖL AUF HOLZ", "öl auf Holz", "öl auf Holz!",
                            "öll auf Hollz", "öl auf Holz"),
                        row(
                            " 50 % öl ", " 50 % ÖL ", "50 % Öl", " 50 % Öl !", " 50 % Öll ",
                            " 50 % Öl "),
                    ])
            },
            libraryCheck("characters are counted as Swift counts them") { shelf in
                let texts = ["", "e\u{301}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "\r\n"]
                for text in texts {
                    let count = StoreExpression.call(.characterCount, [.value(.text(text))])
                    try requireEqual(
                        try shelf.results(of: shelf.author, [(count, .integer)])[0],
                        [.integer(Int64(text.count))])
                }
                try requireEqual(
                    try shelf.results(
                        of: shelf.book, [(.call(.characterCount, [Self.title]), .integer)])[0],
                    [.null])
            },
            libraryCheck("texts with the same look but other scalars are different") { shelf in
                let composed = StoreExpression.value(.text("\u{e9}"))
                let decomposed = StoreExpression.value(.text("e\u{301}"))
                try requireEqual(
                    try shelf.count(shelf.author, .comparison(composed, .equal, decomposed)), 0)
                try requireEqual(
                    try shelf.count(
                        shelf.author, .match(decomposed, .contains, .value(.text("e")))), 3)
            },
            libraryCheck("a text is looked for in another one that is computed, too") { shelf in
                let all = StoreExpression.value(.text("Öl auf Holz"))
                let expected: [(StorePredicate.TextMatch, [Int64])] = [
                    (.prefix, [2, 3]), (.suffix, [2]), (.contains, [2, 3]),
                ]
                for (match, ids) in expected {
                    let predicate = StorePredicate.match(all, match, Self.title)
                    try requireEqual(try shelf.bookIDs(where: predicate), ids)
                    try requireEqual(
                        try shelf.bookIDs(where: .not(predicate)),
                        [1, 2, 3, 4, 5].filter { !ids.contains($0) })
                }
            },
            libraryCheck("numbers are rounded away from zero, and change their type") { shelf in
                let (rating, weight) = (StoreExpression.column(2), StoreExpression.column(3))
                try requireEqual(
                    try shelf.results(
                        of: shelf.book,
                        [
                            (.call(.rounded, [weight]), .real),
                            (.call(.magnitude, [weight]), .real),
                            (.call(.real, [rating]), .real), (.call(.decimal, [rating]), .decimal),
                        ]),
                    [
                        [.null, .null, .null, .null], [.null, .null, .real(1), .text("1")],
                        [.real(1), .real(0.5), .real(2), .text("2")],
                        [.real(-3), .real(2.5), .real(2), .text("2")],
                        [.real(1), .real(1.25), .real(3), .text("3")],
                    ])
            },
            libraryCheck("parts of dates are those of the Gregorian calendar in UTC") { shelf in
                let parts = StoreFunction.DatePart.allCases.map {
                    (StoreExpression.call(.date($0), [.column(3)]), StorageClass.integer)
                }
                let found = try shelf.results(of: shelf.copy, parts)
                func row(_ numbers: Int64...) -> [StoreValue] { numbers.map { .integer($0) } }
                let none = [StoreValue](repeating: .null, count: parts.count)
                try requireEqual(
                    found,
                    [
                        row(2001, 1, 1, 2, 0, 0, 0), row(2000, 12, 31, 1, 23, 59, 59),
                        row(1969, 4, 24, 5, 22, 13, 20), none, none, row(2001, 1, 1, 2, 23, 59, 59),
                    ])
            },
            libraryCheck("a computed value is looked for in a list") { shelf in
                let next = StoreExpression.arithmetic(
                    .add, .column(2), .value(.integer(1)), .integer)
                try requireEqual(
                    try shelf.bookIDs(where: .contained(next, [.integer(3), .null])), [1, 3, 4])
                try requireEqual(
                    try shelf.bookIDs(where: .not(.contained(next, [.integer(3)]))), [1, 2, 5])
            },
        ]
    }
}
