"""My music collection and the living-room speaker."""

from typing import Optional

_SONGS = {
    "Harbour Lights": ("Mira Vale", 2012, 96),
    "Blue Door": ("Mira Vale", 2018, 104),
    "Night Train": ("The Wickets", 1999, 120),
    "Paper Boats": ("Mira Vale", 2021, 82),
}
_NOTES = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
_PLAYLISTS = {"Sunday": ["Paper Boats"], "Running": ["Night Train"]}
_SPEAKER = {"volume": 50, "song": None}


def tempo_of(song: str) -> int:
    """Tempo of a song in beats per minute.

    Args:
        song: Title of the song.
    """
    return _SONGS[song][2]


def transpose(note: str, semitones: int) -> str:
    """Transpose a note by a number of semitones.

    Args:
        note: Name of the note with sharps, e.g. C#.
        semitones: Steps up; negative for down.
    """
    return _NOTES[(_NOTES.index(note) + semitones) % 12]


def beat_seconds(bpm: float, beats: int = 4) -> float:
    """How many seconds a number of beats takes at a tempo.

    Args:
        bpm: Tempo in beats per minute.
        beats: Number of beats.
    """
    return round(60 / bpm * beats, 2)


def songs_by(artist: str, min_year: Optional[int] = None) -> list[str]:
    """Titles by an artist in the collection.

    Args:
        artist: Name of the artist or band.
        min_year: Only songs from this year on.
    """
    return [t for t, (a, y, _) in _SONGS.items() if a == artist and y >= (min_year or 0)]


def play_song(song: str, repeat: bool = False) -> str:
    """Play a song on the speaker.

    Args:
        song: Title of the song.
        repeat: Play it again and again.
    """
    _SPEAKER["song"] = song
    return f"playing {song}" + (" on repeat" if repeat else "")


def add_to_playlist(playlist: str, songs: list[str]) -> int:
    """Add songs to a playlist and return its length.

    Args:
        playlist: Name of the playlist, e.g. Running.
        songs: Titles of the songs.
    """
    _PLAYLISTS.setdefault(playlist, []).extend(songs)
    return len(_PLAYLISTS[playlist])


def remove_from_playlist(playlist: str, song: str) -> int:
    """Remove a song from a playlist."""
    _PLAYLISTS[playlist].remove(song)
    return len(_PLAYLISTS[playlist])


def volume(level: int) -> int:
    """Turn the speaker up or down to a level.

    Args:
        level: Loudness from 0 (silent) to 100.
    """
    _SPEAKER["volume"] = max(0, min(100, level))
    return _SPEAKER["volume"]


EFFECTS = {"play_song", "add_to_playlist", "remove_from_playlist", "volume"}
