"""Numbers that are not read are found, and names, lists and footnotes are none."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from eqparse.text.numbers.unreadable import unreadable_number
from eqparse.text.quantities import find_quantities

UNREADABLE = [
    ("The rope is √9 metres longer than the chain.", "√9"),
    ("The rope is ∛ 8 times as long as the chain.", "∛ 8"),
    ("The rope is ln(3) times as long as the chain.", "ln(3"),
    ("A number plus sqrt( 16 is 20.", "sqrt( 16"),
    ("The rope is 3± metres longer than the chain.", "3±"),
    ("The rope is 3·5 feet longer than the chain.", "3·5"),
    ("The rope is ,5 metres longer than the chain.", ",5"),
    ("The fence is 1, 000 metres longer than the hedge.", "1, 000"),
    ("The barn^1 is 10 metres longer than the shed.", "barn^1"),
    ("The yard is 9 metres^2 larger than the garden.", "metres^2"),
    ("A number plus XII is 20.", "XII"),
    ("XII times a number is 24.", "XII"),
    ("IV more than a number is 9.", "IV"),
    ("The sum of a number and VIII is 11.", "VIII"),
    ("The barn is 12_500 metres longer than the shed.", "12_500"),
    ("The barn is 1_250_000 metres longer than the shed.", "1_250_000"),
    ("The barn is 1e400 metres longer than the shed.", "1e400"),
    ("The barn is 1,5 metres longer than the shed.", "1,5"),
    ("0,75 litres more than the jug holds", "0,75"),
    ("Rent is 12,50 dearer than last year.", "12,50"),
    ("He paid 3,50, EUR 2 more than she did.", "3,50"),
    ("10^400 more than twice a number is 8.", "10^400"),
    ("10**400 plus 3 is a number.", "10**400"),
    ("5 x 10^900 more than twice a number is 8.", "5 x 10^900"),
    ("0x10 more than twice a number is 8.", "0x10"),
    ("0x1F plus a number is 40.", "0x1F"),
    ("0b101 plus a number is 12.", "0b101"),
    ("The barn is10 metres longer than twice the shed.", "is10"),
    ("The barn is longer than twice the shed by7 metres.", "by7"),
    ("The barn is 10 metres longer than30 sheds.", "than30"),
    ("A number plus5 is twice another.", "plus5"),
    ("He has 5kids more than twice the others.", "5kids"),
    ("He has 12apples more than 3 times Ann.", "12apples"),
    ("A number plus 4qq is twice another.", "4qq"),
    ("The crowd was several hundred more than twice the last one.", "several hundred"),
    ("It costs a few thousand more than 3 cars.", "a few thousand"),
    ("It is several dozen more than twice the total.", "several dozen"),
    ("The firm has some hundreds fewer than twice its staff of 2010.", "some hundreds"),
    ("A number plus several hundred is 900.", "several hundred"),
    ("A number is many thousands less than 3 million.", "many thousands"),
    ("The sum of a number and 十二 is 20.", "十二"),
    ("Ⅻ more than a number is 20.", "Ⅻ"),
    ("A number plus Ⅷ is twice another.", "Ⅷ"),
    ("A number plus 二 is 5.", "二"),
    ("1.50,00 euros more than twice the fee is 8.", "1.50,00"),
    ("1 500,5 more than twice the fee is 8.", "500,5"),
    ("The barn is 3..5 metres longer than twice the shed.", "3..5"),
    ("A number plus 1e400 is twice another.", "1e400"),
    ("The barn is 1o metres longer than twice the shed.", "1o"),
    ("A coffee is a buck cheaper than 2 teas.", "a buck"),
    ("The barn is 5O metres longer than twice the shed.", "5O"),
    ("He is umpteen times as old as 2 others.", "umpteen times"),
    ("Dozens more came than the 300 expected.", "Dozens"),
    ("It cost loads more than 3 cars.", "loads"),
    ("The barn is a metre longer than twice the shed.", "a metre"),
    ("The tip was about a dollar more than 3 fares.", "a dollar"),
    ("He scored a goal more than twice Ann's tally.", 'a goal'),
    ("The river is several times longer than 3 canals.", "several times"),
    ("She has a pair more than all 3 boys.", "a pair"),
    ("The film is an hour longer than 3 shorts.", "an hour"),
    ("5² plus a number is 30.", "5²"),
    ("2^3 plus a number is 12.", "2^3"),
    ("x^2 plus 3 is 12.", "x^2"),
    ("-(3) plus a number is 8.", "-(3)"),
    ("The hall seats 1,2oo people, 3 times the old one.", "2oo"),
]
with Path(__file__).with_name("refused_numbers.tsv").open(encoding="utf-8", newline="") as _file:
    _ROWS = [row for row in csv.reader(_file, delimiter="\t", quoting=csv.QUOTE_NONE)][1:]
UNREADABLE += [(text, number) for _, text, number in _ROWS]
READ = [
    "The yard is 9 km^2 larger than the garden.",
    "Henry VIII had 6 wives.", "World War II lasted 6 years.", "Chapter IV has 12 pages.",
    "Rome II is 3 dollars dearer.",
    "Rows 1,2,3 hold 40 seats.", "5,00,000 rupees is 20,000 more than the loan.", "It sold 1,250 cases.",
    "1e5 more than a number is 9.", "I have 12 more than Vi.", "It weighs 1,250.75 grams.",
    "1e100 times a number is 9.",
    "Several hundred fans saw the Hawks beat the Owls by 12.",
    "A few thousand people live in the town, twice as many as in 1950.",
    "Hundreds of boats are 3 metres longer than the barge.",
    "The route is 3 miles longer than the A40.",
    "COVID-19 cases were 30 more than the flu.",
    "Her iPhone 15s cost 200 more than his.",
    "The 1990s brought 3 times as many.",
    "Room 12b has 3 more seats than room 12a.",
    "The 737s carry 30 more than the rest.",
    "The B-52s sold 3 million more than the others.",
    "A Boeing 737-800 seats 20 more than the old one.",
    "The G20 has 13 more members than the G7.",
    "Windows 95 sold 3 times as many as OS/2.",
    "The 2nd run was 3 seconds slower than the 1st.",
    "Call 555-0199 for 3 more tickets.",
    "The match at 19:45 drew 300 more fans.",
    "On 12/05/2021 he had 3 more than Ann.",
    "The 4x400m team was 2 seconds faster.",
    "Visit example2.com to see 3 more boats than last year.",
    "Her MP3 player holds 30 more songs than his.",
    "The 9to5 shop sells 3 more pies than the other.",
    "The 7-Eleven sells 3 more pies.",
    "The 3i group owns 20 more firms.",
    "The 500s are 3 dollars cheaper than the 600s.",
    "The AK-47 is 200 grams heavier.",
    "The R2D2 toy is 5 euros dearer than the C3PO toy.",
    "The U2 album sold 3 million more.",
    "The ISO9001 audit took 3 days longer.",
    "The file a1.txt is 3 MB larger than b2.txt.",
    "User joe42 has 3 more points than amy7.",
    "His ID is 4f3a9c and he has 3 more than Ann.",
    "The 10K run had 30 more runners than the 5K.",
    "PM2.5 was 3 times higher than PM10.",
    "The Airbus A320neo is 3 metres shorter.",
    "The 5th-grade class has 3 more pupils.",
    "The 1st, 2nd and 3rd had 30 points more.",
    "CO2 rose 3 percent on last year.",
    "The 2000s saw 3 times as many as the '90s.",
    "The 80s band sold 3 times as many.",
    "Vitamin B12 is 3 times dearer than B6.",
    "The 18-hole course is 300 yards longer.",
    "The 24/7 shop sells 3 more.",
    "The S&P500 rose 3 points more than the Dow.",
    "It costs 3 more at 7-eleven.",
    "The 401k plan has 3 more members than the 529.",
    "The 50mm lens is 30 euros dearer.",
    "The 2BR flat is 300 dearer than the 1BR.",
    "The 14C sample is 300 years older.",
    "The 1,000th visitor spent 30 more than the 999th.",
    "The 5Ks and 10Ks raised 300 more.",
    "In 2Q the firm sold 30 more than in 1Q.",
    "In 2H it sold 30 more.",
    "In 1H21 it sold 30 more.",
    "In FY21 it sold 30 more.",
    "The 4WD costs 3,000 more than the 2WD.",
    "The 3PM show had 30 more guests than the 5PM show.",
    "The 6th-form has 3 more.",
    "The V8 engine is 30 kilos heavier than the V6.",
    "He has a car more than 3 metres long.",
    "She earns 140 dollars a week less than he does, with 3 days off.",
    "① The barn is 3 metres longer than the shed.",
    "Row 5C has 3 more seats than row 6C.",
    "At 17h30 it was 3 degrees warmer.", "I won 5! More than Ann did.", "Pi Day is 3 days later than Tau Day.",
    "The raspberry pi is 3 euros dearer.", "She was even more tired, with 3 dogs.", "There is less of the 3 cakes.",
    "On 12.05.20 more than 300 came.", "Version 10.0.1 is 3 times faster than 9.", "The O2 was 3 times fuller.",
    "The I5 is 10 miles longer than the I90.", "Several people came, 3 more than before.",
    "He gave 5 to the power plant.",
    "Class 5 6 pupils more than class 4 sat it.", "He scored 3, 4 and 5, 2 more than Ann.",
    "They drew 1 0, 3 down on May.",
    "At 7, 50 people more than at 6 came.", "He is 6’10, 3 inches taller than Ann.", "It is 905, 37 lower than in May.",
    "The road is three fifty metres longer.", "It costs three fifty dollars more.", "lol my 3 pies were less",
]


@pytest.mark.parametrize("text, number", UNREADABLE)
def test_a_number_that_is_not_read_is_found(text, number):
    start, end = unreadable_number(text, find_quantities(text))
    assert text[start:end] == number


@pytest.mark.parametrize("text", READ)
def test_what_is_read_or_no_number_is_left_alone(text):
    assert unreadable_number(text, find_quantities(text)) is None


@pytest.mark.parametrize("text, values", [
    ("threescore and ten", [70]), ("fourscore and seven years", [87]), ("threescore and twelve", [72]),
    ("threescore", [60]), ("fourscore and 5", [80, 5]), ("a 6-foot-2 man", [6 + 2 / 12]),
    ("the 5-foot-10 fence", [5 + 10 / 12]), ("a 6-foot man", [6]), ("a 5-foot one", [5]),
])
def test_old_and_hyphenated_numbers(text, values):
    assert [q.value for q in find_quantities(text)] == pytest.approx(values)
