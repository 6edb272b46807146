// Functions that the store calls, in every way to declare them, and others of the same names.

import Skiathos

@Entity struct Note: WriteHooks, CommitObserving {
    var title = ""

    func validate(_ validation: inout Validation<Note>) {
        validation.require(\.title, title != "", "must not be empty")
    }

    static func willInsert(_ note: Managed<Note>, in context: WriteContext) throws {
        note.title = "a"
    }

    static func willUpdate(_ note: Managed<Self>, in _: WriteContext) { note.title = "b" }

    static func didCommit(_ changes: EntityChanges<Self>) {}
}

@Entity struct Draft {
    var title = ""

    static func willDelete(_ draft: Managed<Draft>, in context: WriteContext) throws {
        try Note.create(in: context) { $0.title = draft.title }
    }
}

extension Draft: WriteHooks {}

enum Library {
    @Entity struct Shelf: WriteHooks {
        var label = ""

        func validate(_ validation: inout Validation<Library.Shelf>) {}
        static func willDelete(
            _ shelf: Managed<Library.Shelf>, in context: WriteContext
        ) throws {}
    }
}

@Entity struct Form {
    var title = ""

    func validate() throws -> Bool { title != "" }
    func didCommit() {}
}
