// Every condition and sort key that columns can make.

import Skiathos

func conditions(_ email: String?, _ company: Company.ID) -> [(User.Columns) -> Condition<User>] {
    [
        { _ in .always }, { _ in .never },
        { $0.age == 18 }, { $0.age != 18 }, { $0.age < 18 }, { $0.age <= 18 },
        { $0.age > 18 }, { $0.age >= 18 },
        { $0.name == "Ada" }, { $0.name < "B" }, { $0.name >= "A" },
        { $0.email == nil }, { $0.email != nil }, { $0.email == email }, { $0.email != email },
        { $0.email == "ada@example.org" }, { $0.email < "b" }, { $0.email <= "b" },
        { $0.email > "a" }, { $0.email >= "a" },
        { $0.id == 1 }, { $0.id != .unassigned }, { $0.id < 10 }, { $0.id.in([1, 2]) },
        { $0.company == company }, { $0.company == "acme" }, { $0.company != nil },
        { $0.company > "a" }, { $0.company.in([company, nil]) },
        { $0.age.in([18, 19]) }, { $0.age.in(Set([18, 19])) }, { $0.age.in(18..<65) },
        { $0.age.in(18...65) }, { $0.age.in(18...) }, { $0.age.in(..<65) }, { $0.age.in(...65) },
        { $0.email.in(["a", nil]) }, { $0.email.in("a"..<"b") }, { $0.name.in("a"..."b") },
        { $0.name.hasPrefix("A") }, { $0.name.hasSuffix("a") }, { $0.name.contains("d") },
        { $0.email.hasPrefix("a") }, { $0.email.hasSuffix("g") }, { $0.email.contains("@") },
        { $0.name.caseInsensitive == "ADA" }, { $0.name.caseInsensitive != "ADA" },
        { $0.email.caseInsensitive.hasPrefix("A") }, { $0.name.caseInsensitive.hasSuffix("A") },
        { $0.name.caseInsensitive.contains("D") }, { $0.name.caseInsensitive.in(["a", "b"]) },
        { !($0.age == 18) }, { $0.age == 18 || $0.age == 19 },
    ]
}

func combined(_ dal: DataAccessLayer, _ youngest: Int, _ names: [String]) throws -> [User] {
    try dal.read { context in
        try User.all(
            where: {
                !$0.name.hasPrefix("X") && $0.email != nil && $0.email > "a"
                    && ($0.age >= youngest && $0.age < 99 || $0.name == "Ada")
                    && $0.name.in(names) && $0.id != 7
            },
            orderedBy: {
                [
                    $0.name.caseInsensitive.ascending, $0.email.caseInsensitive.descending,
                    $0.age.descending, $0.company.ascending, $0.id.ascending,
                ]
            }, in: context)
    }
}

/// A condition that is put together step by step.
func search(_ name: String?, youngest: Int?) -> @Sendable (User.Columns) -> Condition<User> {
    { columns in
        var condition = Condition<User>.always
        if let name { condition = condition && columns.name.caseInsensitive.contains(name) }
        if let youngest { condition = condition && columns.age >= youngest }
        return condition
    }
}

func searched(_ dal: DataAccessLayer) throws -> Int {
    let condition = search("a", youngest: 18)
    return try dal.read { try User.count(where: condition, in: $0) }
}
