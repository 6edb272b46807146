#if Macros
import Skiathos

/// A company, of which there is only one by each name.
@Entity struct Company {
    @Unique var name = ""
}

/// A user, who may work for a company.
@Entity struct User {
    var firstname = ""
    var lastname = ""
    @Unique var email: String?
    @Indexed var age = 0
    var company: Company.ID?

    var fullName: String { "\(firstname) \(lastname)" }
}
#endif
