// Entities cannot have the names of the modules that the generated code names.

import Skiathos

enum Names {
    @Entity struct Swift {
        // expected-error: names the module 'Swift', which a declaration of this name hides
        var number = 0
    }

    @Entity(table: "skiathos") struct Skiathos {
        // expected-error: names the module 'Skiathos', which a declaration of this name hides
        var number = 0
    }
}
