#if Macros
/// A computed property for the rows that refer to an entity.
struct RelationModel {
    /// The types of such properties, and those of the constants among the columns that stand for
    /// them in conditions.
    static let types = ["ToMany": "Relation", "ManyToMany": "LinkedRelation"]

    /// The name as it is written, with backticks where it has them.
    var property: String
    /// The type of the constant.
    var type: String
    /// How far the property can be seen.
    var access: AccessLevel
}
#endif
