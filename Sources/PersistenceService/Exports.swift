// `import PersistenceService` is all that a user needs.
@_exported public import Skiathos
