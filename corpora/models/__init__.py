"""Everything the corpora keep in the database, one module per subject.

What SUQL may see of it is not these tables but the views of the schema `kb` (migration 0003).
"""

from corpora.models.courses import Course, Offering, Program, Rating, Season
from corpora.models.descriptions import CorpusDescription, CorpusDraft
from corpora.models.edits import HandEdit
from corpora.models.examples import FewShotPair
from corpora.models.imports import Import, ImportFile
from corpora.models.memory import AnswerMemo, ModelCall, TextVector
from corpora.models.passages import Passage
from corpora.models.pictures import FetchedPicture, Picture
from corpora.models.registry import Assistant, Place
from corpora.models.restaurants import Price, Restaurant, Review
from corpora.models.rights import CorpusLimit
from corpora.models.services import Article, ArticleQuestion
from corpora.models.versions import CorpusVersion, RowChange
from corpora.models.worksheets import WorksheetEdition

__all__ = [
    "AnswerMemo",
    "Article",
    "ArticleQuestion",
    "Assistant",
    "CorpusDescription",
    "CorpusDraft",
    "CorpusLimit",
    "CorpusVersion",
    "Course",
    "FetchedPicture",
    "FewShotPair",
    "HandEdit",
    "Import",
    "ImportFile",
    "ModelCall",
    "Offering",
    "Passage",
    "Picture",
    "Place",
    "Price",
    "Program",
    "Rating",
    "Restaurant",
    "Review",
    "RowChange",
    "Season",
    "TextVector",
    "WorksheetEdition",
]
