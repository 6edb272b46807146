@_exported public import TestTools
