@_exported public import Spawning
