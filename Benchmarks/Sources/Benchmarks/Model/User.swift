import Skiathos

/// The row of every workload: nine columns, a unique email, an indexed reference that may be nil.
struct User: Sendable, Equatable {
    var id: EntityID<User> = .unassigned
    var firstname = ""
    var lastname = ""
    var email = ""
    var age = 0
    var score = 0.0
    var created = 0.0
    var isActive = false
    var company: Company.ID?
}

extension User {
    /// The user with a number, the same in every run.
    init(number: Int64) {
        self.init(
            id: ID(rawValue: number), firstname: "First \(number)",
            lastname: "Family \(number % 977)",
            email: "user.number.\(number)@example.org", age: Int(number % 90),
            score: Double(number) * 0.25, created: 7e8 + Double(number), isActive: number % 3 == 0,
            company: number % 10 == 0 ? nil : Company.ID(rawValue: number % 1000 + 1))
    }

    /// A number that depends on every column, by which results are compared.
    var checksum: Int64 {
        var sum = id.rawValue &* 31 &+ Int64(age)
        sum = sum &+ Int64(firstname.utf8.count + lastname.utf8.count + email.utf8.count)
        sum = sum &+ Int64(score) &+ Int64(created) &+ (isActive ? 1 : 0)
        return sum &+ (company?.rawValue ?? -1)
    }
}

extension [User] {
    /// The sum of the checksums.
    var checksum: Int64 { reduce(0) { $0 &+ $1.checksum } }
}
