// Re-exported, so that users import only `DataRequestPersistence`.
@_exported public import DataRequestCore
