// Re-exports the types that the protocol uses; `import Skiathos` adds the macros and the
// backend.
@_exported public import SkiathosCore
@_exported public import SkiathosStore
