@_exported public import DataRequestCore
