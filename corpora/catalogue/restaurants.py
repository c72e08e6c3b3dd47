"""The table `restaurants`."""

from agent.catalogue.tables import Column, Geo, Kind, Saying, Table, Talk
from agent.text.wordlists import words
from corpora.catalogue.cards import Part, Place

PRICE_WORDS = (
    ("cheap", ("inexpensive", "budget", "affordable", "low-cost", "low priced", "bargain", "economical", "$")),
    (
        "moderate",
        (
            "mid-range",
            "mid-priced",
            "medium priced",
            "reasonable",
            "reasonably priced",
            "average priced",
            "moderately priced",
            "moderately",
            "$$",
        ),
    ),
    ("expensive", ("pricey", "upscale", "high-end", "dear", "costly", "posh", "break the bank", "$$$")),
    ("luxury", ("luxurious", "very expensive", "ultra high-end", "splurge", "deluxe", "$$$$")),
)

CUISINE_WORDS = (
    ("afghan", ("afghani",)),
    ("american", ("american food",)),
    ("american (new)", ("new american", "modern american", "contemporary american")),
    ("american (traditional)", ("traditional american", "classic american")),
    ("bakeries", ("bakery", "patisserie", "pastry shop")),
    ("barbeque", ("barbecue", "bbq", "bar-b-q", "smokehouse")),
    ("beer gardens", ("beer hall", "biergarten")),
    ("brazilian", ("churrascaria",)),
    ("breakfast & brunch", ("breakfast and brunch", "breakfast", "brunch")),
    ("bubble tea", ("boba", "milk tea")),
    ("burgers", ("burger", "hamburger", "burger joint")),
    ("burmese", ("myanmar",)),
    ("cafes", ("café", "coffeehouse")),
    ("cajun/creole", ("cajun", "creole")),
    ("cocktail bars", ("cocktail lounge", "speakeasy")),
    ("coffee & tea", ("coffee shop", "coffee place", "coffee bar", "espresso bar")),
    ("delis", ("delicatessen",)),
    ("desserts", ("dessert place", "dessert shop")),
    ("dim sum", ("dimsum", "yum cha")),
    ("filipino", ("philippine", "philipino", "filipina", "pinoy")),
    ("food trucks", ("food cart",)),
    ("gastropubs", ("gastro pub",)),
    ("german", ("bavarian",)),
    ("hot pot", ("hotpot",)),
    ("ice cream & frozen yogurt", ("ice cream", "gelato", "gelateria", "frozen yogurt", "froyo")),
    ("latin american", ("latin", "latino")),
    ("mediterranean", ("mediterranian",)),
    ("mexican", ("tex-mex", "taqueria")),
    ("middle eastern", ("middle east", "mideastern")),
    ("nepalese", ("nepali",)),
    ("noodles", ("noodle house", "noodle shop", "noodle bar")),
    ("pizza", ("pizzeria", "pizza place")),
    ("poke", ("poke bowl",)),
    ("ramen", ("ramen shop", "ramen bar")),
    ("sandwiches", ("sandwich", "sandwich shop", "subs")),
    ("seafood", ("sea food", "fish restaurant", "oyster bar")),
    ("southern", ("southern food",)),
    ("steakhouses", ("steakhouse", "steak house", "steak place", "chophouse")),
    ("sushi bars", ("sushi", "sushi place")),
    ("szechuan", ("sichuan", "sichuanese", "szechwan")),
    ("tacos", ("taco", "taco shop")),
    ("tapas bars", ("tapas",)),
    ("tea rooms", ("tea house", "tea room")),
    ("vegan", ("plant-based",)),
    ("vegetarian", ("veggie", "meatless")),
    ("wine bars", ("wine bar",)),
)

#: Kinds of food that people ask for and that no restaurant has: they are looked for, and not found.
OTHER_CUISINES = words(
    """
    african argentine armenian asian austrian belgian british californian cambodian catalan chilean colombian
    cuban dominican dutch egyptian eritrean european georgian guatemalan himalayan honduran hungarian indonesian
    iraqi irish israeli jamaican laotian lebanese malaysian mongolian nicaraguan nigerian oaxacan palestinian
    polish polynesian portuguese punjabi romanian salvadoran scandinavian scottish senegalese shanghainese
    sicilian singaporean swiss syrian tibetan tunisian ukrainian uzbek venezuelan yemeni
    """
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
            value_words=(*CUISINE_WORDS, *((cuisine, ()) for cuisine in OTHER_CUISINES)),
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
            low_words=("cheapest",),
            high_words=("priciest", "fanciest"),
            synonyms=("prices", "price range", "cost", "costs", "how expensive", "how much", "price level", "pricing"),
        ),
        Column(
            "rating",
            Kind.NUMBER,
            saying=Saying("is rated {}", brief="rated {}"),
            description="Average of all guests' stars, 1 to 5",
            unit="stars",
            low_words=("worst", "lowest"),
            high_words=("best", "top", "highest"),
            synonyms=("stars", "star rating", "rated", "score", "best", "top", "highest rated", "ratings", "grade"),
        ),
        Column(
            "num_reviews",
            Kind.NUMBER,
            saying=Saying("has {} reviews", brief="{} reviews"),
            integer=True,
            description="How many reviews the restaurant has had altogether (more than are kept here)",
            unit="reviews",
            low_words=("fewest", "least"),
            high_words=("most",),
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
