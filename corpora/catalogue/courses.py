"""The tables of a university's courses: `courses`, `offerings`, `ratings`, `programs`."""

from agent.catalogue.tables import Column, Kind, Saying, Table, Talk
from corpora.catalogue.cards import Part, Place
from corpora.catalogue.subjects import SUBJECTS

SEASONS = ("autumn", "winter", "spring", "summer")
SEASON_WORDS = (("autumn", ("fall", "fall quarter", "autumn quarter")),)
SEASON_NAMES = ("quarter", "term", "semester", "when offered", "when taught")
WHEN = ("when", "what times", "run", "runs")  # of the quarter, the days and the times
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
DAY_WORDS = (
    ("Mon", ("Monday", "Mondays")),
    ("Tue", ("Tuesday", "Tuesdays", "Tues")),
    ("Wed", ("Wednesday", "Wednesdays")),
    ("Thu", ("Thursday", "Thursdays", "Thurs")),
    ("Fri", ("Friday", "Fridays")),
    ("Sat", ("Saturday", "Saturdays")),
    ("Sun", ("Sunday", "Sundays")),
)
INSTRUCTORS = (
    "instructor",
    "instructors",
    "professor",
    "prof",
    "teacher",
    "lecturer",
    "taught by",
    "teaches",
    "faculty",
)

COURSE_ID = Column("course_id", Kind.NUMBER, integer=True, description="Internal number of the course")
CODE = Column("code", Kind.TEXT, hidden=True, description="The course's main code, 'CS 101'")

COURSES = Table(
    name="courses",
    noun=("course", "courses"),
    description="Courses of the university: what they teach and what they count for.",
    synonyms=("classes", "class", "lectures", "seminars", "subjects", "modules"),
    key=("course_id",),
    entity="code",
    title="title",
    talk=Talk(
        offer="find courses by topic, quarter, days, units, requirements and ratings, and tell you what students wrote "
        "about them",
        hints="A topic, a quarter, a number of units",
        first=(
            "Machine learning courses in winter",
            "Four-unit courses with a light workload",
            "Which courses meet only on Tuesdays?",
        ),
        after_one=(
            ("When does it meet?", "days"),
            ("What do students say about the workload?", ""),
            ("Something else", ""),
            ("Who teaches it?", "instructor_names"),
        ),
        after_several=(
            ("Which of these takes the least time?", ""),
            ("Who teaches them?", "instructor_names"),
            ("Compare the first two", ""),
        ),
        after_none=("In any quarter", "Any number of units"),
    ),
    columns=(
        COURSE_ID,
        CODE,
        Column("title", Kind.TEXT, description="The course's title", synonyms=("name", "called", "named")),
        Column(
            "course_codes",
            Kind.TEXT,
            many=True,
            description="All codes it is listed under, 'CS 101'; the first is the main one",
            synonyms=("code", "course code", "course number", "number", "cross-listed", "cross listed as", "listed as"),
        ),
        Column(
            "description",
            Kind.FREE_TEXT,
            description="What the course covers, how it is taught and assessed",
            synonyms=("about", "covers", "topics", "content", "teaches", "syllabus", "topic", "learn"),
            value_words=SUBJECTS,
        ),
        Column(
            "min_units",
            Kind.NUMBER,
            saying=Saying("is worth {} units", brief="{} units", other="max_units"),
            integer=True,
            unit="units",
            low_words=("fewest", "least"),
            description="The fewest units it can be taken for",
            synonyms=("minimum units", "units", "credits", "at least units", "fewest units"),
        ),
        Column(
            "max_units",
            Kind.NUMBER,
            integer=True,
            unit="units",
            high_words=("most",),
            description="The most units it can be taken for",
            synonyms=("maximum units", "most units", "units", "credits"),
        ),
        Column(
            "grading",
            Kind.ENUM,
            description="How it is graded",
            value_words=(
                (
                    "Letter or Credit/No Credit",
                    ("letter grade", "letter graded", "letter", "credit/no credit", "CR/NC", "pass/fail"),
                ),
                (
                    "Satisfactory/No Credit",
                    (
                        "S/NC",
                        "satisfactory",
                        "sat/no credit",
                        "pass/fail",
                        "pass/fail only",
                        "ungraded",
                        "no letter grade",
                    ),
                ),
                ("Letter (ABCD/NP)", ("letter only", "letter grade only", "letter", "letter grade", "letter graded")),
            ),
            synonyms=("grading basis", "graded", "grade type", "pass/fail", "letter grade"),
        ),
        Column(
            "average_hours_spent",
            Kind.NUMBER,
            saying=Saying("takes {} hours a week", brief="{} hours a week"),
            unit="hours a week",
            low_words=("easiest", "lightest", "least", "fewest"),
            high_words=("hardest", "heaviest", "most"),
            description="Hours a week students report to spend on it",
            synonyms=(
                "workload",
                "hours",
                "hours per week",
                "weekly hours",
                "time commitment",
                "time consuming",
                "hours spent",
                "effort",
            ),
        ),
        Column(
            "general_requirements",
            Kind.ENUM,
            saying=Saying("counts for {}", "counts for no general requirement"),
            many=True,
            said="meeting",
            description="University-wide breadth requirements it fulfils, as codes: 'WAY-FR'",
            value_words=(
                ("WAY-FR", ("formal reasoning", "Ways FR")),
                ("WAY-AQR", ("applied quantitative reasoning", "quantitative reasoning", "Ways AQR")),
                ("WAY-CE", ("creative expression", "Ways CE")),
                ("WAY-SI", ("social inquiry", "Ways SI")),
                ("WAY-ER", ("ethical reasoning", "ethics", "Ways ER")),
                ("WAY-SMA", ("scientific method and analysis", "scientific method", "Ways SMA")),
                ("WAY-EDP", ("exploring difference and power", "engaging diversity", "Ways EDP")),
            ),
            synonyms=(
                "general education requirement",
                "GER",
                "Ways",
                "WAYS requirement",
                "general requirement",
                "gen ed",
            ),
        ),
        Column(
            "foundations_requirement",
            Kind.ENUM,
            description="The foundations requirement of the MS program it fulfils",
            values=(
                "logic_automata_and_complexity",
                "probability",
                "algorithmic_analysis",
                "computer_organization_and_systems",
                "principles_of_computer_systems",
            ),
            value_words=(
                (
                    "logic_automata_and_complexity",
                    ("logic", "automata", "complexity", "logic, automata and complexity"),
                ),
                ("probability", ("probability theory", "statistics")),
                ("algorithmic_analysis", ("algorithms", "algorithm analysis")),
                ("computer_organization_and_systems", ("computer organization", "organization and systems")),
                (
                    "principles_of_computer_systems",
                    ("computer systems principles", "principles of systems", "computer systems"),
                ),
            ),
            synonyms=("foundations", "foundation requirement", "foundational requirement"),
        ),
        Column(
            "significant_implementation_requirement",
            Kind.BOOLEAN,
            saying=Saying(
                "counts for the significant implementation requirement",
                "does not count for the significant implementation requirement",
            ),
            description="Whether it fulfils the significant implementation requirement of the MS program",
            synonyms=("significant implementation", "implementation requirement", "implementation", "SI requirement"),
        ),
        Column(
            "breadth_requirement",
            Kind.ENUM,
            description="The breadth area of the MS program it counts for",
            values=("formal_foundations", "learning_and_modeling", "systems", "people_and_society"),
            value_words=(
                ("formal_foundations", ("formal foundations", "theory", "area A", "breadth area A")),
                (
                    "learning_and_modeling",
                    ("learning and modeling", "learning and modelling", "learning & modeling", "area B"),
                ),
                ("systems", ("computer systems", "systems breadth", "area C")),
                (
                    "people_and_society",
                    ("people and society", "people & society", "society", "societal", "area D"),
                ),
            ),
            synonyms=("breadth", "breadth area", "breadth category"),
        ),
        Column(
            "prerequisite_course_codes",
            Kind.TEXT,
            saying=Saying("requires {} first", "has no prerequisites"),
            many=True,
            description="Codes of the courses to take before; empty where there are none",
            synonyms=(
                "prerequisites",
                "prerequisite",
                "prereqs",
                "prereq",
                "required before",
                "requires",
                "require",
                "needs",
                "that need",
                "which need",
                "who need",
                "need before",
            ),
        ),
    ),
)

OFFERINGS = Table(
    name="offerings",
    noun=("offering", "offerings"),
    description="When and where a course is held, by whom, and how full it is. One row a course and quarter.",
    synonyms=("sections", "schedule", "times", "timetable", "meetings"),
    key=("offering_id",),
    entity="code",
    columns=(
        Column("offering_id", Kind.NUMBER, integer=True, hidden=True, description="Internal number"),
        COURSE_ID,
        CODE,
        Column(
            "season",
            Kind.ENUM,
            saying=Saying("is offered in {}", "is not offered", "{}"),
            description="The quarter",
            values=SEASONS,
            value_words=SEASON_WORDS,
            synonyms=(*SEASON_NAMES, *WHEN, "offered", "given", "taught in", "available"),
        ),
        Column(
            "days",
            Kind.ENUM,
            saying=Saying("meets on {}", "meets on no fixed day", "{}"),
            many=True,
            description="Days of the week it meets",
            values=DAYS,
            value_words=DAY_WORDS,
            synonyms=("day", "weekday", "weekdays", "meets on", "meets", "days of the week", "meeting days", *WHEN),
        ),
        Column(
            "start_time",
            Kind.TIME,
            saying=Saying("meets from {}", other="end_time"),
            description="When a meeting starts",
            synonyms=("starts", "starts at", "begins", "time", "start", "morning", "afternoon", "evening", *WHEN),
        ),
        Column(
            "end_time",
            Kind.TIME,
            description="When a meeting ends",
            synonyms=("ends", "ends at", "finishes", "over by", "done by", "finished by", "out by", *WHEN),
        ),
        Column(
            "instructor_names",
            Kind.TEXT,
            saying=Saying("is taught by {}", "has no instructor yet", "taught by {}"),
            many=True,
            description="Who teaches it",
            synonyms=INSTRUCTORS,
            said="taught by",
        ),
        Column(
            "capacity",
            Kind.NUMBER,
            integer=True,
            unit="seats",
            description="Seats",
            synonyms=("seats", "size", "class size", "places", "limit", "enrollment limit"),
        ),
        Column(
            "enrolled",
            Kind.NUMBER,
            saying=Saying("has {}", other="capacity", both="{} of {} seats taken", fills=True),
            integer=True,
            unit="students",
            description="Students enrolled so far; full when it equals capacity",
            synonyms=("students", "enrollment", "enrolment", "taken seats", "full", "signed up"),
        ),
        Column(
            "room",
            Kind.TEXT,
            saying=Saying("meets in {}"),
            description="Building and room",
            synonyms=("location", "building", "where", "hall", "held in"),
        ),
    ),
)

RATINGS = Table(
    name="ratings",
    noun=("rating", "ratings"),
    description="How students rated a course in one quarter, and their comments.",
    synonyms=("evaluations", "course evaluations", "student reviews", "reviews"),
    key=("rating_id",),
    entity="code",
    columns=(
        Column("rating_id", Kind.NUMBER, integer=True, hidden=True, description="Internal number"),
        COURSE_ID,
        CODE,
        Column(
            "instructor_names",
            Kind.TEXT,
            saying=Saying("is taught by {}", "has no instructor yet", "taught by {}"),
            many=True,
            description="Who taught it then",
            synonyms=INSTRUCTORS,
            said="taught by",
        ),
        Column(
            "average_rating",
            Kind.NUMBER,
            saying=Saying("is rated {}", brief="rated {}", several="{} to {} in different quarters"),
            unit="out of 5",
            low_words=("worst", "lowest"),
            high_words=("best", "top", "highest"),
            description="Average of the students' ratings, up to 5",
            synonyms=("rating", "rated", "score", "stars", "best", "top", "highest rated", "worst", "evaluation"),
        ),
        Column(
            "num_ratings",
            Kind.NUMBER,
            saying=Saying("has {} ratings", brief="{} ratings"),
            integer=True,
            unit="ratings",
            low_words=("fewest", "least"),
            high_words=("most",),
            description="How many students rated it",
            synonyms=("number of ratings", "how many ratings", "most rated", "most reviewed", "responses"),
        ),
        Column(
            "term_id", Kind.NUMBER, integer=True, hidden=True, description="The registrar's number of the quarter: 1252"
        ),
        Column(
            "start_year",
            Kind.NUMBER,
            integer=True,
            description="Year the academic year began",
            synonyms=("year", "since"),
        ),
        Column("end_year", Kind.NUMBER, integer=True, description="Year the academic year ended", synonyms=("year",)),
        Column(
            "season",
            Kind.ENUM,
            saying=Saying("is offered in {}", "is not offered", "{}"),
            description="The quarter that was rated",
            values=SEASONS,
            value_words=SEASON_WORDS,
            synonyms=SEASON_NAMES[:3],
        ),
        Column(
            "reviews",
            Kind.FREE_TEXT,
            many=True,
            description="Students' comments: teaching, workload, exams, grading, projects, advice",
            synonyms=("review", "comments", "students say", "students", "feedback", "opinions", "think of it"),
        ),
    ),
)

PROGRAMS = Table(
    name="programs",
    noun=("program", "programs"),
    description="Degree programs and their requirements.",
    synonyms=(
        *("degrees", "degree", "bachelors", "masters", "majors", "major", "tracks", "track"),
        *("specializations", "concentrations"),
    ),
    key=("program_id",),
    entity="program_id",
    title="specialization",
    columns=(
        Column("program_id", Kind.TEXT, hidden=True, description="Internal name, 'bs-ai'"),
        Column(
            "level",
            Kind.ENUM,
            description="The degree it leads to",
            values=("BS", "MS", "PhD"),
            value_words=(
                ("BS", ("bachelor", "bachelor's", "undergraduate", "undergrad", "B.S.", "bachelor of science")),
                ("MS", ("master", "master's", "masters", "graduate", "M.S.", "master of science")),
                ("PhD", ("doctorate", "doctoral", "Ph.D.", "doctor of philosophy")),
            ),
            synonyms=("degree", "degree level"),
        ),
        Column(
            "specialization",
            Kind.ENUM,
            description="The field",
            value_words=(
                ("AI", ("artificial intelligence", "machine learning")),
                ("Human-Computer Interaction", ("HCI",)),
                ("Computational Biology", ("compbio", "bioinformatics")),
                ("Computer & Network Security", ("security", "cybersecurity")),
                ("Information Management & Analytics", ("data", "analytics", "information management")),
                ("Theoretical Computer Science", ("theory", "TCS")),
                ("Visual Computing", ("graphics", "vision")),
            ),
            synonyms=("specialisation", "track", "concentration", "field", "focus", "major"),
        ),
        Column(
            "sheet_requirements",
            Kind.FREE_TEXT,
            description="What must be taken, and how many units, to get the degree",
            synonyms=("requirements", "required courses", "program sheet", "rules", "electives", "capstone", "needed"),
        ),
        Column(
            "sheet_url", Kind.TEXT, description="Address of the program sheet", synonyms=("sheet", "link", "pdf", "url")
        ),
    ),
)

CARDS = {
    "courses": (
        Part(Place.STAMP, ("code",)),
        Part(Place.RATING, ("average_rating",), of="ratings"),
        Part(Place.COUNT, ("num_ratings",), of="ratings"),
        Part(Place.UNDER, ("min_units", "max_units")),
        Part(Place.UNDER, ("average_hours_spent",)),
        Part(Place.UNDER, ("season", "days", "start_time", "end_time"), of="offerings"),
    ),
    "programs": (
        Part(Place.ABOVE, ("level",)),
        Part(Place.LINK, ("sheet_url",), "Program sheet"),
    ),
}
