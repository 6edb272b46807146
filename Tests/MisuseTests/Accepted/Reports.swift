// Reports whose rows are used in the expression that asks for them, and conditions with arithmetic.
// options: -Xfrontend -solver-scope-threshold=400000

import Skiathos

struct Line: Sendable {
    var name: String
    var number: Int
}

func reports(_ dal: DataAccessLayer) throws -> [Line] {
    let pairs = try dal.read {
        try User.grouped { ($0.name, $0.age) }.select { ($0.id.count, $0.age.sum) }.all(in: $0)
            .map { ($0.key.1, $0.value.0) }
    }
    let texts = try dal.read {
        try User.grouped { ($0.name, $0.born.year) }.having { $0.price.sum > 100 }
            .order { $0.price.sum.descending }.select { ($0.price.sum, $0.id.count) }.all(in: $0)
            .map { "\($0.key.0) \($0.key.1 ?? 0) \($0.value.0)" }.joined(separator: "\n")
    }
    let wide = try dal.read {
        try User.grouped { ($0.name, $0.age, $0.isGuest, $0.company.name) }
            .select { ($0.id.count, $0.price.sum, $0.price.max, ($0.price * $0.age).sum) }.all(
                in: $0
            )
            .map { ($0.key.3 ?? "", $0.value.3) }
    }
    let selected = try dal.read {
        try User.select { ($0.name, $0.price * $0.age, $0.price * 2, $0.age + 1) }.all(in: $0)
            .map { Line(name: "\($0.0) \($0.1)", number: $0.3) }
    }
    let counted = try dal.read {
        try User.grouped { ($0.name, $0.age) }.select { $0.id.count }.all(in: $0)
            .map { Line(name: $0.key.0, number: $0.value) }
    }
    print(pairs, texts, wide, selected)
    return counted
}

func conditions() -> [Query<User>] {
    [
        User.where { $0.age * 2 + 1 > 3 && $0.age * 3 - 1 < 4 && $0.isGuest },
        User.where { $0.isGuest || !$0.isGuest && $0.price * 2 > 3 },
        User.order { ($0.price * $0.age * (1 - $0.price)).descending },
    ]
}
