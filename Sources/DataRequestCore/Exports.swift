#if RequestCore
// Methods, statuses and names of headers are part of every call.
@_exported public import HTTPTypes
#endif
