// An enqueued write runs later on another thread, where a plain class cannot follow.

import Skiathos

final class Draft {
    var name = "Ada"
}

func misuse(_ dal: DataAccessLayer, _ draft: Draft) {
    dal.enqueue { context in
        let user = try User.create(in: context)
        user.name = draft.name
        // expected-error: 'draft' with non-Sendable type 'Draft' in a '@Sendable' closure
    }
}
