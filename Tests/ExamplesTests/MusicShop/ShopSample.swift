#if Macros
/// A shop as small as can be, in the form of the file.
enum ShopSample {
    static let text = """
        {
        "Genre": [{"GenreId": 1, "Name": "Rock"}, {"GenreId": 2, "Name": "Jazz"}],
        "MediaType": [{"MediaTypeId": 1, "Name": "MPEG audio file"}],
        "Artist": [{"ArtistId": 1, "Name": "Alma"}, {"ArtistId": 2, "Name": "Bo"}],
        "Album": [{"AlbumId": 1, "Title": "First", "ArtistId": 1}],
        "Track": [{"TrackId": 1, "Name": "One", "AlbumId": 1, "MediaTypeId": 1, "GenreId": 1,
        "Composer": "", "Milliseconds": 61000, "Bytes": 5000, "UnitPrice": 0.99}],
        "Employee": [{"EmployeeId": 1, "LastName": "Doe", "FirstName": "Ann", "Title": "Owner",
        "ReportsTo": null, "BirthDate": "1970-01-01T00:00:00", "HireDate": "2000-01-01T00:00:00",
        "Email": "ann@example.org"}],
        "Customer": [{"CustomerId": 1, "FirstName": "Cy", "LastName": "Roe", "Country": "Greece",
        "Email": "cy@example.org", "SupportRepId": 1}],
        "Invoice": [{"InvoiceId": 1, "CustomerId": 1, "InvoiceDate": "2021-01-01T00:00:00",
        "BillingCountry": "Greece", "Total": 0.99}],
        "InvoiceLine": [{"InvoiceLineId": 1, "InvoiceId": 1, "TrackId": 1, "UnitPrice": 0.99,
        "Quantity": 1}],
        "Playlist": [{"PlaylistId": 1, "Name": "All"}],
        "PlaylistTrack": [{"PlaylistId": 1, "TrackId": 1}]
        }
        """

    /// The first line of what the import of this shop prints.
    static let summary = "13 inserted, 0 changed, 0 unchanged\n"
}
#endif
