// Re-exported, so that users import only `Skiathos`.
@_exported public import SkiathosCore
@_exported public import SkiathosSQLite
@_exported public import SkiathosStore
