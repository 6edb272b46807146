// Fields of embedded values stand wherever columns may, whatever their place and access.

import Foundation
import Skiathos

enum Outer {
    @Embedded struct Place: Codable, Hashable {
        var latitude = 0.0
        fileprivate var longitude = 0.0
        private var secret = 0
        let fixed: Int
        static let zero = 0
        var label: String { "" }
        var height = 0.0 { didSet { print(height) } }

        init() { fixed = 0 }
    }
}

@Embedded struct Address: Codable, Sendable {
    enum Kind: String, Codable { case home, work }

    var city = ""
    var `class`: String?
    var kind = Kind.home
    var second: Kind?
    var place = Outer.Place()
    var other: Outer.Place?
    var tags: [String] = []
    var notKept = 0

    enum CodingKeys: String, CodingKey {
        case city = "name", `class`, kind, second, place, other, tags
    }
}

@Embedded struct Nothing: Codable {}

@Entity struct House {
    var address = Address()
    var other: Address?
    var owner: House.ID?
}

func queries() -> [Query<House>] {
    [
        House.where { $0.address[\.city] == "Athens" },
        House.where { $0.address[\.class] == nil || $0.other[\.class] == "a" },
        House.where { $0.address[\.kind].in([.home, .work]) && $0.other[\.second] != .home },
        House.where { $0.address[\.place][\.latitude] > $0.address[\.place.latitude] },
        House.where { $0.other[\.other][\.height] < 3 && $0.other[\.place.height] < 3 },
        House.where { $0.owner.address[\.city].caseInsensitive == "athens" },
        House.where { $0.owner.other[\.tags] == ["a"] },
        House.order { [$0.address[\.city].ascending, $0.other[\.place.latitude].descending] },
    ]
}

func places(_ context: ReadContext) throws -> [(String, Double?, Outer.Place?)] {
    try House.select { ($0.address[\.city], $0.other[\.place.latitude], $0.other[\.other]) }
        .all(in: context)
}
