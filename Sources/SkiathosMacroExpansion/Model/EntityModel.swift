#if Macros
/// A struct as `@Entity` has parsed it: all that is needed to generate its members.
struct EntityModel {
    /// The name of the struct, as it is written.
    var name: String
    /// The access level of the struct, which its generated members share.
    var access: AccessLevel
    /// The name of the table.
    var table: String
    /// The names that the table had before.
    var formerTables: [String]
    /// The type of keys, if it is not the default.
    var rawID: String?
    /// Whether the struct declares its ID itself.
    var declaresID: Bool
    /// The initialisers that the struct declares.
    var initializers: InitializerModel
    /// Whether the struct stands inside another declaration, whose names its extension cannot see.
    var isNested: Bool
    /// The columns beside the ID, in the order of their declaration.
    var columns: [ColumnModel]
    /// The relationships, in the order of their declaration.
    var relations: [RelationModel]
    /// Sets of columns that together are unique, by name.
    var uniqueKeys: [[String]]
    /// The protocols that functions of the struct require, beside that of entities.
    var requirers: Set<HookSignature.Requirer>
    /// Whether problems were reported.
    ///
    /// The conformance is then generated with bodies that compile
    /// whatever the properties are, so that no other errors bury the ones that count.
    var isFaulty: Bool
}

/// The initialisers that a struct declares in its body.
struct InitializerModel {
    /// Whether there are any, so that the compiler adds none.
    var areDeclared = false
    /// Whether one can be called without arguments.
    var includeEmpty = false
    /// Whether one takes the ID alone.
    var includeID = false
    /// Whether the compiler would add one that takes the ID alone, since there is nothing else.
    var wouldIncludeID = true
    /// Whether the one that the compiler adds takes properties that are no columns.
    var wouldIncludeTransient = false
    /// Whether there certainly is one with a parameter for the ID and each column.
    var areMemberwiseForCertain = false
    /// How many of these parameters come before that of the ID.
    var columnsBeforeID = 0
}
#endif
