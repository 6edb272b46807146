// A write whose closure only creates an object gives nothing: a warning says so, and any use of the
// result is an error.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    let user = try dal.write { try User.create(in: $0) }
    print(user.name)
    // expected-error: value of tuple type '()' has no member 'name'
}

func misuseAwaited(_ dal: DataAccessLayer) async throws -> Managed<User> {
    let user = try await dal.write { try User.create(in: $0) }
    return user
    // expected-error: cannot convert return expression of type '()' to return type 'Managed<User>'
}
