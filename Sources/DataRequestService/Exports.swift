// Re-exported, so that users import only `DataRequestService`.
@_exported public import DataRequestCore
