"""Questions by their form: one that is joined to what comes before it is read as a sentence of its own.

People join questions in every way there is: "cheap thai and is it any good", "cheap thai, is it any good", "cheap thai
- is it any good". What is found must not hang on that.
"""

from __future__ import annotations

import re

from agent.parsing.semantics import english

FEWEST = 2  # words of what comes before a question

_SUBJECT = (
    r"(?:it|they|there|that|this|these|those|he|she|i|we|you|people|folks|students|guests|reviewers|customers|everyone|"
    r"anyone|anybody|any|some|either|both|one|all|most|(?:the|its|their|his|her|my|our|your|an?) [\w'’-]+)"
)
_INVERTED = (  # "is the food any good", "can I bring a dog"
    rf"(?:is|are|was|were|do|does|did|can|could|will|would|should|may|must) {_SUBJECT}|"
    r"(?:has|have|had) (?:it|they|he|she|you|anyone|anybody|people|the [\w'’-]+)(?= \w)"
)
_NAMELESS = (  # "is parking easy": what has no article
    r"(?:is|are|was|were) (?:\w+(?:ing|ance|ence|tion|ment|work|ions)|wi-?fi|food|lunch|dinner|brunch|breakfast|coffee|"
    r"beer|wine|service|prices|portions|dogs|kids|children|strollers|tickets|labs|exams|midterms|finals|lectures|"
    r"recordings|slides)(?= (?!(?:and|or|for|with|in|at|on|enough|to)\b)\w)"
)
_BE = r"(?:'s|'re| is| are| was| were| do| does| did| can| could| should| would| will| has| have)"
_OPEN = (  # "what's the parking like", "how long is the wait", "which one has ..."
    rf"(?:what|when|where|why|how|who)(?:{_BE}|s) (?!also\b)\w|"
    r"(?:what|which|how)(?: (?!(?:i|we|you|it|they|he|she|the|its|their|is|are|was|has|have|does|do)\b)[\w-]+){1,4}"
    rf"{_BE} \w|which (?:one|of (?:them|those|these|the))\b|who (?:teaches|taught|runs|gives|else)\b"
)
_ANY = (  # "any dessert place nearby?", short for "is there any ..."
    r"any(?: other)? (?!(?:of|more|other|good|that|which|in|on|at|with|w/|for|luck|advice|chance|"
    r"(?:idea|suggestion|recommendation|rec|tip|thought|town|city|area|neighbou?rhood|location)s?)\b)[\w-]+"
)
_MANY = re.compile(r"any(?: other)?(?: [\w-]+)? [\w-]+(?<!s)s\b", re.IGNORECASE)
_ASIDE = (  # no question of its own: "is that ok?", "can you find one?"
    r"(?:is|are|was|does|do|will|would) (?:that|it|this|these|those) "
    r"(?:right|ok(?:ay)?|possible|correct|true|fine|work|matter|make sense|too much)\W*$|"
    r"(?:can|could|would|will|do) you (?:please |maybe |also )?"
    r"(?:help|find|recommend|suggest|show|tell|list|give|search|look|check|get|book|reserve|know|have any|think of)\b"
)
_CLAUSE = re.compile(rf"(?<![\w'’-])(?!{_ASIDE})(?:(?P<any>{_ANY})|{_INVERTED}|{_NAMELESS}|{_OPEN})", re.IGNORECASE)
_JOINT = re.compile(
    r"(?P<end>[.?!]*)(?:\s*(?:[,;:–—-]+(?=\s|$)|\b(?:and|but|also|plus|then|oh|so)\b|(?<=\s)[&+/]))*\s*$",
    re.IGNORECASE,
)
_STORY = re.compile(  # before a second story that leads up to a question: "..., also I lost my key, what do I do"
    r"(?<=\w)[,;]\s+(?:and )?(?:also|plus|then),? (?=(?:i|my|we|our)\b[^.?!]{8,},\s*"
    r"(?:what|how|when|where|who|which|is|are|can|do|does|will|should)\b)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.?!;]+$")
_LEAD = r"\W*(?:(?:and|but|so|also|hi|hey|ok|well) )*"
_WISHES = re.compile(rf"{_LEAD}(?:i|we)\b", re.IGNORECASE)
_STATES = re.compile(  # says how things are, or when: "I lost my card", "if I drop it", "the site is down"
    rf"{_LEAD}(?:i(?:m|ve)(?! (?:looking|after|craving|thinking)\b)|"
    r"(?:i|we)(?!(?:'d| would)? (?:like|love|want|need)\b|"
    r"(?:'m| am|'re| are) (?:looking|after|craving|thinking)\b)(?:'\w+)?|he|she|they|it|it's|ours|mine|there|this|"
    r"that|my|our|if|when|since|because|suppose|assuming|in case|someone|somebody|nobody|people) ",
    re.IGNORECASE,
)
_ONLY_LEADS = re.compile(  # "the second one", "ok different question": points, or turns to something else
    rf"{_LEAD}(?:(?:as for|for|about|with) )?(?:(?:the|this|that|those|these) (?:\w+ )?"
    r"(?:ones?|two|place|course|class)|(?:an? )?(?:diff?e?rent|new|another|next|other|unrelated|separate|quick) "
    r"(?:thing|question|topic|subject|matter|one))\W*$",
    re.IGNORECASE,
)
_LEADS_ON = re.compile(r"\b(?:know|wonder(?:ing)?|ask|tell me|idea|see|sure|me|say|understand)$", re.IGNORECASE)
_WHETHER = re.compile(r"(?:whether(?: or not)?|if) (?P<claim>[^,;?!]+)(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_HELPING = re.compile(r"is|are|was|were|can|could|will|would|does|do|did|should|must|may", re.IGNORECASE)
_PLURAL = re.compile(r"i|you|we|they|people|students|guests|reviewers|everyone", re.IGNORECASE)
_LONGEST_SUBJECT = 8  # words


def apart(text: str) -> str:
    """The text with each question that is joined to another, or to a search, as a sentence: "cheap thai, is it any
    good" is "cheap thai? And is it any good"."""
    text = _STORY.sub("? ", text)
    for clause in reversed(list(_CLAUSE.finditer(text))):
        before, asked = text[: clause.start()], text[clause.start() :]
        joint = _JOINT.search(before)
        left = before[: joint.start()] if joint is not None else ""
        if joint is None or not joint[0].strip() or not left.strip():
            continue
        if clause["any"]:
            asked = f"{'are' if _MANY.match(asked) else 'is'} there {asked}"
        if "?" in joint["end"]:
            text = f"{before}{asked}"
        elif _can_end(left, ended=bool(joint["end"])):
            text = f"{left}? And {asked}"
    return text


def _can_end(left: str, *, ended: bool) -> bool:
    """Whether what comes before a question asks or looks for something itself; a sentence that is `ended` and says what
    somebody wants may only lead up to the question."""
    last = _SENTENCE.search(left)
    if last is None or len(last[0].split()) < FEWEST or _LEADS_ON.search(left):
        return False
    if _STATES.match(last[0]) or _ONLY_LEADS.match(last[0]):
        return False
    return not (ended and _WISHES.match(last[0]))


def direct(text: str) -> str:
    """An indirect question as it is asked: "whether they take cards" is "do they take cards"."""
    said = _WHETHER.match(text)
    return f"{_asked(said['claim'].split())}{said['rest']}" if said is not None else text


def _asked(words: list[str]) -> str:
    """A statement as a question: "you can take it in May" is "can you take it in May"."""
    for at, word in enumerate(words[1:_LONGEST_SUBJECT], start=1):
        if _HELPING.fullmatch(word):
            return " ".join([word, *words[:at], *words[at + 1 :]])
        if _PLURAL.fullmatch(words[at - 1]):
            return " ".join(["do", *words])
        if word != english.base(word) and english.base(word) in english.verbs():
            return " ".join(["does", *words[:at], english.base(word), *words[at + 1 :]])
    return " ".join(words)
