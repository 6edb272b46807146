// The mean is called average.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.select { $0.age.avg }.all(in: context))
        // expected-error: 'avg' has been renamed to 'average'
    }
}
