// `import DataRequestService` is all that a user needs.
@_exported public import DataRequestCore
