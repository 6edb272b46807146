// `import Skiathos` is all that a user needs.
@_exported public import SkiathosCore
@_exported public import SkiathosSQLite
@_exported public import SkiathosStore
