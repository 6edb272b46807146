// `import DataRequestPersistence` is all that a user needs.
@_exported public import DataRequestCore
