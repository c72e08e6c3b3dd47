"""The state or province that an address names, in short and in full."""

from __future__ import annotations

import re

REGIONS = {
    "AL": "Alabama", "AK": "Alaska", "AZ": "Arizona", "AR": "Arkansas", "CA": "California", "CO": "Colorado",
    "CT": "Connecticut", "DE": "Delaware", "DC": "District of Columbia", "FL": "Florida", "GA": "Georgia",
    "HI": "Hawaii", "ID": "Idaho", "IL": "Illinois", "IN": "Indiana", "IA": "Iowa", "KS": "Kansas", "KY": "Kentucky",
    "LA": "Louisiana", "ME": "Maine", "MD": "Maryland", "MA": "Massachusetts", "MI": "Michigan", "MN": "Minnesota",
    "MS": "Mississippi", "MO": "Missouri", "MT": "Montana", "NE": "Nebraska", "NV": "Nevada", "NH": "New Hampshire",
    "NJ": "New Jersey", "NM": "New Mexico", "NY": "New York", "NC": "North Carolina", "ND": "North Dakota",
    "OH": "Ohio", "OK": "Oklahoma", "OR": "Oregon", "PA": "Pennsylvania", "RI": "Rhode Island",
    "SC": "South Carolina", "SD": "South Dakota", "TN": "Tennessee", "TX": "Texas", "UT": "Utah", "VT": "Vermont",
    "VA": "Virginia", "WA": "Washington", "WV": "West Virginia", "WI": "Wisconsin", "WY": "Wyoming",
    "AB": "Alberta", "BC": "British Columbia", "MB": "Manitoba", "NB": "New Brunswick",
    "NL": "Newfoundland and Labrador", "NS": "Nova Scotia", "ON": "Ontario", "PE": "Prince Edward Island",
    "QC": "Quebec", "SK": "Saskatchewan",
}  # fmt: skip


def region_of(address: str, city: str) -> str:
    """Return what stands after the city in an address, without the postcode: "Illinois" of "…, Springfield, IL 62701".

    Empty where the address does not name the city, or nothing follows it.
    """
    _, comma, after = address.casefold().rpartition(f"{city.casefold()},")
    if not comma or not city:
        return ""
    last = address[len(address) - len(after) :].split(",")[0]
    said = re.sub(r"\b[A-Z]{0,2}\d[\w-]*( \d\w*)?$", "", last.strip()).strip()
    return REGIONS.get(said.upper(), said)


def written(region: str) -> tuple[str, ...]:
    """Return the ways to write a region: in full, and in short where that is known."""
    return (region, *(short for short, full in REGIONS.items() if full == region))
