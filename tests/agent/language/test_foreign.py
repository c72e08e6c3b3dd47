"""Messages in other languages are told from English ones that have foreign names in them."""

from collections.abc import Iterator

import pytest

from agent.networks.foreign import ENGLISH, notice, recognised
from hybridchat.research.lines import read_lines

FOREIGN = {
    "es": (
        "busco un restaurante italiano",
        "busco un restaurante italiano en Palo Alto",
        "¿a qué hora abren?",
        "gracias",
        "una mesa para dos",
    ),
    "fr": ("je cherche un restaurant calme à Palo Alto", "une table pour deux", "merci"),
    "de": ("hat das auch etwas ruhiges", "gibt es hier etwas günstiges?", "danke", "und in Sunnyvale?"),
    "it": ("cerco un ristorante romantico a Palo Alto", "un tavolo per due", "grazie"),
    "pt": ("procuro um restaurante tranquilo em Palo Alto", "uma mesa para dois", "obrigado"),
    "nl": ("ik zoek een rustig restaurant in Palo Alto", "een tafel voor twee"),
    "pl": ("szukam cichej restauracji w Palo Alto",),
    "tr": ("Palo Alto'da sessiz bir restoran arıyorum",),
    "vi": ("tôi muốn tìm quán phở rẻ", "cảm ơn"),
    "id": ("saya mencari restoran yang tenang",),
    "zh": ("帕罗奥图有什么安静的餐厅",),
    "ja": ("静かなレストランはありますか",),
    "ko": ("팔로알토에 조용한 식당 있어요?",),
    "ru": ("ищу тихий ресторан в Пало-Альто", "спасибо"),
    "ar": ("أبحث عن مطعم هادئ",),
    "hi": ("मुझे एक शांत रेस्तरां चाहिए",),
    "th": ("หาร้านอาหารเงียบๆ",),
}
ENGLISH_WITH_NAMES = (
    "Phở Bà Tư",
    "does Phở Bà Tư take cards",
    "taqueria el güero",
    "Trattoria Sottovoce",
    "gnocchi alla romana",
    "pain au chocolat",
    "crème brûlée",
    "tacos al pastor in palo alto",
    "cacio e pepe",
    "El Remolque Azul hours",
    "moules frites in SF",
    "y",
    "ok",
    "42",
    "",
)


@pytest.mark.parametrize(("language", "message"), [(code, one) for code, said in FOREIGN.items() for one in said])
def test_a_message_in_another_language_is_recognised(language: str, message: str) -> None:
    assert recognised(message) == language


@pytest.mark.parametrize("message", ENGLISH_WITH_NAMES)
def test_a_foreign_name_is_no_foreign_message(message: str) -> None:
    assert recognised(message) == ""


def test_no_english_message_of_the_development_sets_is_taken_for_foreign() -> None:
    assert [message for message in _english() if recognised(message)] == []


def test_the_notice_is_in_the_language_of_the_message() -> None:
    said = {code: notice(messages[0]) for code, messages in FOREIGN.items()}
    assert len(set(said.values())) == len(FOREIGN)
    assert ENGLISH not in said.values()
    assert recognised(said["de"]) == "de"


def _english() -> Iterator[str]:
    for name in ("restaurants", "courses", "strangers", "varied", "crowd"):
        for item in read_lines(f"hybridchat/research/development/{name}.jsonl", "id"):
            yield from item.get("messages", [item.get("utterance", "")])
