"""Which written units are known for sure, and pint's names for them.

pint reads almost anything: "fares" are femto-ares to it, "pins" pico-inches, "points" a printer's. So it is asked only
about the units listed here.
"""

from __future__ import annotations

from functools import cache
from typing import Any

# name in `eqparse.text.numbers.units` -> what pint reads
BY_MEASURE = {name: name for name in (
    "second minute hour day week fortnight month year decade century millimetre centimetre metre kilometre inch foot "
    "yard furlong mile milligram gram ounce pound stone tonne ton millilitre centilitre litre gallon quart bushel pint "
    "tablespoon teaspoon acre hectare joule kilojoule kilocalorie"
).split()}
BY_MEASURE |= {"kilo": "kilogram", "km/h": "kilometre / hour", "mph": "mile / hour", "°C": "degC", "°F": "degF"}
BY_MEASURE |= {"kilowatt-hour": "kilowatt_hour"}
_LENGTHS = "millimetre centimetre metre kilometre inch foot yard mile".split()
BY_MEASURE |= {f"{word} {length}": f"{length} ** {power}"
               for word, power in (("square", 2), ("cubic", 3)) for length in _LENGTHS}

# money or mass, a small calorie or a large one, warmth or an angle, rocks
DOUBTFUL = frozenset("pound pounds calorie calories stones cup cups degree degrees ° c f".split())

FURTHER: dict[str, str] = {}
"""Units that the grammar of numbers does not have, as written -> what pint reads."""
for _symbol, _words in {
    "degC": "degrees Celsius|degree Celsius|degrees centigrade|degrees C|°C|° C",
    "degF": "degrees Fahrenheit|degree Fahrenheit|degrees F|°F|° F",
    "kelvin": "kelvin|kelvins", "radian": "radian|radians",
    "millisecond": "millisecond|milliseconds|ms", "microsecond": "microsecond|microseconds",
    "micrometre": "micrometre|micrometres|micrometer|micrometers|micron|microns|µm|μm",
    "nanometre": "nanometre|nanometres|nanometer|nanometers|nm",
    "microgram": "microgram|micrograms|µg|μg|mcg",
    "watt": "watt|watts|W", "kilowatt": "kilowatt|kilowatts|kW|kw", "megawatt": "megawatt|megawatts|MW",
    "gigawatt": "gigawatt|gigawatts|GW", "horsepower": "horsepower|hp|bhp",
    "kilowatt_hour": "kilowatt hour|kilowatt hours|kilowatt-hour|kilowatt-hours|kWh|kwh",
    "megawatt_hour": "megawatt hour|megawatt hours|megawatt-hour|megawatt-hours|MWh",
    "megajoule": "megajoule|megajoules|MJ",
    "kilocalorie": "kilocalorie|kilocalories|kcal",
    "hertz": "hertz|Hz", "kilohertz": "kilohertz|kHz", "megahertz": "megahertz|MHz", "gigahertz": "gigahertz|GHz",
    "rpm": "rpm|revolutions per minute",
    "byte": "byte|bytes", "kilobyte": "kilobyte|kilobytes|kB|KB", "megabyte": "megabyte|megabytes|MB",
    "gigabyte": "gigabyte|gigabytes|GB", "terabyte": "terabyte|terabytes|TB",
    "megabit": "megabit|megabits|Mbit", "gigabit": "gigabit|gigabits|Gbit",
    "megabit / second": "Mbps|Mbit/s|megabits per second|megabits a second",
    "volt": "volt|volts", "newton": "newton|newtons", "knot": "knot|knots",
    "metre ** 2": "m2|m²", "kilometre ** 2": "km2|km²", "centimetre ** 2": "cm2|cm²", "metre ** 3": "m3|m³",
    "metre / second": "m/s", "kilometre / second": "km/s", "mile / hour": "mi/h",
}.items():
    FURTHER |= dict.fromkeys(_words.split("|"), _symbol)

MONEY = {"€": "EUR", "£": "GBP", "₹": "INR", "euro": "EUR", "EUR": "EUR", "sterling": "GBP", "quid": "GBP"}
MONEY |= {"yen": "JPY", "yuan": "CNY", "renminbi": "CNY", "rand": "ZAR", "zloty": "PLN", "pounds sterling": "GBP"}
MONEY |= {"₦": "NGN", "₱": "PHP", "₩": "KRW", "₽": "RUB", "₴": "UAH", "₺": "TRY"}
MONEY |= {"₫": "VND", "₪": "ILS", "฿": "THB", "₵": "GHS"}
MONEY |= dict.fromkeys(("$", "dollar", "buck"), "$")  # of which country, the sign does not tell
MONEY |= {"US$": "USD", "us dollar": "USD", "A$": "AUD", "AU$": "AUD", "C$": "CAD", "CA$": "CAD", "NZ$": "NZD",
          "HK$": "HKD", "S$": "SGD"}
_CODES = frozenset(MONEY.values())


@cache
def unit_name(symbol: str | None) -> str | None:
    """pint's name of a unit that pint reads, or a currency itself; None without the one or pint."""
    if symbol is None or symbol in _CODES or symbol.isupper():
        return symbol
    registry = _registry()
    return None if registry is None else str(registry.parse_units(symbol))


@cache
def _registry() -> Any:
    """pint's units; None if pint is not installed. Made once, since it takes longer than many parses."""
    try:
        import pint
    except ImportError:
        return None
    return pint.UnitRegistry()
