#if Macros
import Skiathos

/// A country, by its name.
@Entity struct Country {
    @Unique var name = ""
}

/// A part of a country; two countries may have parts of the same name.
@Entity struct Region {
    @Unique(with: "country") var name = ""
    @References(onDelete: .cascade) var country: Country.ID?
}

/// A city, whose ID is its number in the GeoNames catalogue.
@Entity struct City {
    @Indexed var name = ""
    @References(onDelete: .cascade) var country: Country.ID?
    var region: Region.ID?
}

/// How far the import of a content has come, by its fingerprint; gone once it is complete.
@Entity(id: String.self) struct ImportProgress {
    var finishedRecords = 0
}
#endif
