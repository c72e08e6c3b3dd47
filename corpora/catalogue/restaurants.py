"""The table `restaurants`."""

from agent.catalogue.tables import Column, Geo, Kind, Saying, Table, Talk
from corpora.catalogue.cards import Part, Place

PRICE_WORDS = (
    ("cheap", ("inexpensive", "budget", "affordable", "low-cost", "low priced", "bargain", "economical", "$")),
    (
        "moderate",
        ("mid-range", "mid-priced", "medium priced", "reasonable", "reasonably priced", "average priced", "$$"),
    ),
    ("expensive", ("pricey", "upscale", "high-end", "dear", "costly", "posh", "$$$")),
    ("luxury", ("luxurious", "very expensive", "ultra high-end", "splurge", "deluxe", "$$$$")),
)

RESTAURANTS = Table(
    name="restaurants",
    noun=("restaurant", "restaurants"),
    description="Restaurants, cafes and bars, with what guests wrote about them.",
    synonyms=("places to eat", "eateries", "places", "spots", "cafes", "bars", "diners", "bistros", "joints", "food"),
    key=("id",),
    entity="slug",
    title="name",
    geo=Geo("latitude", "longitude", ("city", "neighbourhood")),
    hours="open_minutes",
    order="rating DESC, num_reviews DESC",
    talk=Talk(
        offer="find restaurants by what they serve, cost and are rated, where they are, when they are open, and by "
        "what reviewers say about them",
        hints="A kind of food, a price, a mood",
        first=(
            "A quiet place for dinner in Palo Alto",
            "Cheap vegetarian lunch in San Francisco",
            "Sushi in Cupertino, best rated first",
        ),
        after_one=(
            ("When is it open?", "opening_hours"),
            ("What do reviewers say about the service?", ""),
            ("Something else", ""),
            ("What should I order there?", "popular_dishes"),
        ),
        after_several=(
            ("Which of these is the quietest?", ""),
            ("Something cheaper", ""),
            ("Compare the first two", ""),
        ),
        after_none=("Any price is fine", "In any city"),
    ),
    columns=(
        Column("id", Kind.NUMBER, integer=True, hidden=True, description="Internal number"),
        Column("slug", Kind.TEXT, hidden=True, description="Internal name"),
        Column("name", Kind.TEXT, description="The restaurant's name", synonyms=("called", "named", "title")),
        Column(
            "cuisines",
            Kind.ENUM,
            saying=Saying(brief="{}"),
            many=True,
            description="Kinds of food and of place, in lower case: 'italian', 'coffee & tea', 'vegan', 'wine bars'",
            synonyms=("cuisine", "food", "kind of food", "type of food", "serves", "category", "categories", "style"),
        ),
        Column(
            "price",
            Kind.ENUM,
            saying=Saying("has {} prices", brief="{} prices"),
            description="Price class, from least to most: cheap, moderate, expensive, luxury",
            values=("cheap", "moderate", "expensive", "luxury"),
            value_words=PRICE_WORDS,
            synonyms=("prices", "price range", "cost", "costs", "how expensive", "how much", "price level", "pricing"),
        ),
        Column(
            "rating",
            Kind.NUMBER,
            saying=Saying("is rated {}", brief="rated {}"),
            description="Average of all guests' stars, 1 to 5",
            unit="stars",
            synonyms=("stars", "star rating", "rated", "score", "best", "top", "highest rated", "ratings", "grade"),
        ),
        Column(
            "num_reviews",
            Kind.NUMBER,
            saying=Saying("has {} reviews", brief="{} reviews"),
            integer=True,
            description="How many reviews the restaurant has had altogether (more than are kept here)",
            unit="reviews",
            synonyms=("number of reviews", "review count", "reviewed", "most reviewed", "popular", "popularity"),
        ),
        Column("address", Kind.TEXT, description="Street address", synonyms=("street", "street address", "where is")),
        Column("city", Kind.ENUM, saying=Saying("is in {}"), description="City", synonyms=("town",)),
        Column(
            "neighbourhood",
            Kind.ENUM,
            description="District of the city",
            synonyms=("neighborhood", "district", "area", "quarter", "part of town"),
        ),
        Column(
            "location",
            Kind.LOCATION,
            saying=Saying("is in {}", brief="in {}"),
            description="Where it is: compare with a city, district or landmark ('Palo Alto', 'Ferry Building')",
            synonyms=("in", "near", "close to", "around", "by", "next to", "at", "within", "located", "place"),
        ),
        Column("latitude", Kind.NUMBER, unit="degrees", hidden=True, description="Latitude"),
        Column("longitude", Kind.NUMBER, unit="degrees", hidden=True, description="Longitude"),
        Column(
            "phone_number",
            Kind.TEXT,
            description="Telephone number",
            synonyms=("phone", "telephone", "number to call", "contact number", "call"),
        ),
        Column(
            "opening_hours",
            Kind.OPENING_HOURS,
            description="When it is open, per weekday: compare with a time ('Friday 21:00', 'now', 'Sunday morning')",
            synonyms=(
                "hours",
                "open",
                "opening times",
                "closing time",
                "closes",
                "opens",
                "business hours",
                "schedule",
            ),
        ),
        Column(
            "popular_dishes",
            Kind.FREE_TEXT,
            many=True,
            description="Dishes the restaurant is known for, a few words each; not its whole menu",
            synonyms=("dishes", "menu", "popular dish", "signature dish", "known for", "specialities", "what to order"),
        ),
        Column(
            "about",
            Kind.FREE_TEXT,
            saying=Saying(brief="{}"),
            description="A sentence or two that introduce the restaurant",
            synonyms=("description", "introduction", "overview"),
        ),
        Column(
            "reviews",
            Kind.FREE_TEXT,
            many=True,
            description="What guests wrote: food, service, atmosphere, prices, who it suits, everything else",
            synonyms=("review", "reviewers", "guests", "people say", "customers", "opinions", "comments", "feedback"),
            along="about",
        ),
        Column(
            "picture", Kind.IMAGE, description="A picture of the restaurant", synonyms=("photo", "image", "looks like")
        ),
        Column(
            "link", Kind.TEXT, description="The restaurant's web site", synonyms=("website", "web site", "url", "page")
        ),
        Column("open_minutes", Kind.TEXT, hidden=True, description="Open minutes of the week, Monday 00:00 is 0"),
    ),
)

CARDS = {
    "restaurants": (
        Part(Place.PICTURE, ("picture",)),
        Part(Place.RATING, ("rating",)),
        Part(Place.COUNT, ("num_reviews",)),
        Part(Place.UNDER, ("cuisines",)),
        Part(Place.UNDER, ("price",)),
        Part(Place.UNDER, ("location",)),
        Part(Place.LINK, ("opening_hours",)),
        Part(Place.LINK, ("phone_number",), "Call"),
        Part(Place.LINK, ("location", "address"), "Map"),
        Part(Place.LINK, ("link",), "Website"),
    )
}
