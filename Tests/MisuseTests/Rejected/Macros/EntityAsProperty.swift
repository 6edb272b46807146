// An entity is referred to by its ID, which begins unassigned.

import Skiathos

@Entity struct Category {
    var name = ""
}

@Entity struct Product {
    // expected-error: a column cannot hold another entity: keep its ID, such as 'Company.ID?'
    var category: Category
    // expected-error: If 'Category' is an entity, refer to it by its ID: 'var category: Category.ID = .unassigned'.
    var supplier: Category.ID
    // expected-error: 'supplier' needs a default so that create(in:) can make a new entity. Write '= .unassigned'
}
