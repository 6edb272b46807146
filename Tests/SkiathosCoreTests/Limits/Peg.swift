import Skiathos

/// A row that long queries are about.
@Entity struct Peg {
    @Indexed var number = 0
    var digit = 0
    var name = ""
    var weight = 0.0
    var parent: Peg.ID?

    var children: ToMany<Peg> { ToMany(\.parent, of: id) }
}

extension Peg {
    /// How many there are.
    static let count = 20

    /// Runs a closure with a store of pegs with the numbers from 0, each the parent of the next one.
    static func withStore(_ body: (DataAccessLayer) throws -> Void) throws {
        let dal = try DataAccessLayer(.inMemory, entities: Peg.self)
        try dal.write { context in
            var last: Peg.ID?
            for number in 0..<count {
                last =
                    try Peg.create(in: context) {
                        $0.number = number
                        $0.digit = number % 5
                        $0.name = "peg \(number)"
                        $0.weight = Double(number)
                        $0.parent = last
                    }.id
            }
        }
        try body(dal)
        try dal.close()
    }
}
