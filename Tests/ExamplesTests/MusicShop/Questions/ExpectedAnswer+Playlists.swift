#if Macros
extension ExpectedAnswer {
    static let playlists = [
        ExpectedAnswer(
            "longest-playlists",
            """
            SELECT playlist.id, playlist.name, count(*), \(pair("sum(milliseconds) / 60000"))
            FROM playlist JOIN playlistTrack ON playlistTrack.playlist = playlist.id
            JOIN track ON track.id = playlistTrack.track
            GROUP BY playlist.id ORDER BY sum(milliseconds) DESC, playlist.id
            """),
        ExpectedAnswer(
            "popular-tracks", statements: 3,
            """
            WITH popular AS (
                SELECT track.id, track.name, count(*) AS count
                FROM track JOIN playlistTrack ON playlistTrack.track = track.id
                GROUP BY track.id ORDER BY count(*) DESC, track.name, track.id LIMIT 10)
            SELECT name, count, (
                SELECT group_concat(name, ', ') FROM (
                    SELECT playlist.name FROM playlistTrack
                    JOIN playlist ON playlist.id = playlistTrack.playlist
                    WHERE playlistTrack.track = popular.id
                    ORDER BY playlist.name, playlistTrack.id))
            FROM popular ORDER BY count DESC, name, id
            """),
        ExpectedAnswer(
            "short-playlists", statements: 3,
            """
            SELECT playlist.name, track.name, \(pair("milliseconds / 1000"))
            FROM playlist JOIN playlistTrack ON playlistTrack.playlist = playlist.id
            JOIN track ON track.id = playlistTrack.track
            WHERE playlist.id IN (
                SELECT playlist FROM playlistTrack GROUP BY playlist HAVING count(*) <= 15)
            ORDER BY playlist.name, playlist.id, track.name, playlistTrack.id
            """),
        ExpectedAnswer(
            "playlist-variety",
            """
            SELECT playlist.id, playlist.name, count(DISTINCT artist), count(DISTINCT album),
                count(DISTINCT genre)
            FROM playlist JOIN playlistTrack ON playlistTrack.playlist = playlist.id
            JOIN track ON track.id = playlistTrack.track JOIN album ON album.id = track.album
            GROUP BY playlist.id ORDER BY count(DISTINCT artist) DESC, playlist.id
            """),
    ]
}
#endif
