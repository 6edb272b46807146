import SkiathosStore

extension StoreConformanceSuite {
    private static let objects = [
        #"{"a":1,"b":"x","c":{"d e":[true,2]},"r":0.1,"t":true}"#,
        #"{"a":-9223372036854775808,"b":"\"\\\n","c":{"d e":null},"r":5e-324,"t":false}"#,
        #"{"a":null,"c":null,"r":3}"#, #"{}"#, #"[1]"#, #""text""#,
    ]

    private static func field(_ form: StoreFieldForm, _ names: String...) -> StoreExpression {
        .call(.field(names, form), [.column(1)])
    }

    private func fieldCheck(
        _ rule: String, _ body: @escaping (ConformanceStore) throws -> Void
    ) -> ConformanceCheck {
        check(rule) { shelf in
            try shelf.write { session in
                for (number, object) in Self.objects.enumerated() {
                    try session.apply([
                        .insert(
                            entity: shelf.book,
                            ValueRows(shelf.bookRow(Int64(number) + 1, title: object)))
                    ])
                }
                try session.apply([.insert(entity: shelf.book, ValueRows(shelf.bookRow(7)))])
            }
            try body(shelf)
        }
    }

    var fieldChecks: [ConformanceCheck] {
        [
            fieldCheck("a field of a JSON object is read as the value that it represents") {
                shelf in
                try requireEqual(
                    try shelf.results(
                        of: shelf.book,
                        [
                            (Self.field(.integer, "a"), .integer),
                            (Self.field(.text, "b"), .text),
                            (Self.field(.real, "r"), .real),
                            (Self.field(.integer, "t"), .integer),
                            (Self.field(.json, "c", "d e"), .text),
                        ]),
                    [
                        [
                            .integer(1), .text("x"), .real(0.1), .integer(1),
                            .text("[true,2]"),
                        ],
                        [
                            .integer(.min), .text("\"\\\n"), .real(.leastNonzeroMagnitude),
                            .integer(0), .null,
                        ],
                        [.null, .null, .real(3), .null, .null],
                        [.null, .null, .null, .null, .null],
                        [.null, .null, .null, .null, .null],
                        [.null, .null, .null, .null, .null],
                        [.null, .null, .null, .null, .null],
                    ])
            },
            fieldCheck("a field is compared, sorted by and taken from a field") { shelf in
                let a = Self.field(.integer, "a")
                try requireEqual(
                    try shelf.ids(
                        of: shelf.book, where: .comparison(a, .less, .value(.integer(5)))), [1, 2])
                try requireEqual(
                    try shelf.ids(of: shelf.book, where: .comparison(a, .equal, .value(.null))),
                    [3, 4, 5, 6, 7])
                try requireEqual(
                    try shelf.ids(
                        of: shelf.book,
                        where: .comparison(
                            Self.field(.json, "c"), .equal,
                            .value(.text(#"{"d e":[true,2]}"#)))), [1])
                let order = [FetchRequest.Order(Self.field(.real, "r"), descending: true)]
                try requireEqual(
                    try shelf.bookIDs(FetchRequest(entity: shelf.book, order: order, limit: 4)),
                    [3, 1, 2, 4])
            },
        ]
    }
}
