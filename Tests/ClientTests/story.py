"""What each generated client does: it makes, reads, edits and deletes one of everything, and reads what it sent."""

from story_activities import Activities
from story_diary import Diary
from story_growth import LaterVersion
from story_jobs import Jobs
from story_library import Library
from story_photos import Photos
from story_plants import Plants
from story_uploads import Uploads


class Story(Plants, Activities, Diary, Photos, Uploads, Library, Jobs, LaterVersion):
    """The whole story."""
