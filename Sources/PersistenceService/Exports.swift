// What the protocol speaks of comes with it; `import Skiathos` brings the macros and the backend.
@_exported public import SkiathosCore
@_exported public import SkiathosStore
