// A list of fields is made once for a struct.

import Skiathos

@Embedded enum Shape: Codable { case round }
// expected-error: @Embedded expects a struct

@Embedded struct Box<Content: Codable & Sendable>: Codable { var content: Content }
// expected-error: @Embedded expects a struct without generic parameters
