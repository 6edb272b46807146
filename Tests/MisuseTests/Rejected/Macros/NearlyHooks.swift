// A function that is nearly one which the store calls would never be called.

import Skiathos

@Entity struct Other {
    var number = 0
}

@Entity struct Note1 {
    var number = 0
    func validate(_ validation: Validation<Note1>) {}
    // expected-error: only if it is declared as 'func validate(_ validation: inout Validation<Note1>)'
}

@Entity struct Note2 {
    var number = 0
    func validate(_ validation: inout Validation<Note2>) throws {}
    // expected-error: only if it is declared as 'func validate(_ validation: inout Validation<Note2>)'
}

@Entity struct Note3 {
    var number = 0
    func validate(with validation: inout Validation<Note3>) {}
    // expected-error: only if it is declared as 'func validate(_ validation: inout Validation<Note3>)'
}

@Entity struct Note4 {
    var number = 0
    static func validate(_ validation: inout Validation<Note4>) {}
    // expected-error: only if it is declared as 'func validate(_ validation: inout Validation<Note4>)'
}

@Entity struct Note5 {
    var number = 0
    func validate(_ validation: inout Validation<Note5>) async {}
    // expected-error: only if it is declared as 'func validate(_ validation: inout Validation<Note5>)'
}

@Entity struct Note6 {
    var number = 0
    mutating func validate(_ validation: inout Validation<Note6>) {}
    // expected-error: only if it is declared as 'func validate(_ validation: inout Validation<Note6>)'
}

@Entity struct Note7 {
    var number = 0
    func validate(_ validation: inout Validation<Other>) {}
    // expected-error: only if it is declared as 'func validate(_ validation: inout Validation<Note7>)'
}

@Entity struct Note8: WriteHooks {
    var number = 0
    static func willInsert(_ object: Managed<Note8>, context: WriteContext) throws {}
    // expected-error: only if it is declared as 'static func willInsert(_ object: Managed<Note8>, in context: WriteContext) throws'
}

@Entity struct Note9: WriteHooks {
    var number = 0
    func willInsert(_ object: Managed<Note9>, in context: WriteContext) throws {}
    // expected-error: only if it is declared as 'static func willInsert(_ object: Managed<Note9>, in context: WriteContext) throws'
}

@Entity struct Note10: WriteHooks {
    var number = 0
    static func willUpdate(_ object: Note10, in context: WriteContext) throws {}
    // expected-error: only if it is declared as 'static func willUpdate(_ object: Managed<Note10>, in context: WriteContext) throws'
}

@Entity struct Note11: WriteHooks {
    var number = 0
    static func willDelete(_ object: Managed<Note11>) throws {}
    // expected-error: only if it is declared as 'static func willDelete(_ object: Managed<Note11>, in context: WriteContext) throws'
}

@Entity struct Unhooked {
    // expected-error: which are called only if it conforms to WriteHooks
    var number = 0
    static func willInsert(_ object: Managed<Unhooked>, in context: WriteContext) throws {}
}

@Entity struct Unobserving {
    // expected-error: which is called only if it conforms to CommitObserving
    var number = 0
    static func didCommit(_ changes: EntityChanges<Unobserving>) {}
}
