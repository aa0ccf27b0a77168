"""What the fast model answers to sentences that state no equation of two unknowns, and to others like them."""

from __future__ import annotations

import pytest

import eqparse
from eqparse.equation.equation import Equation

pytestmark = pytest.mark.pipeline

SAID = [
    # denied
    ("Anna denies being twice as old as Ben.", None),
    ("The kettle scarcely weighs 3 kilos more than the pan.", None),
    ("The river is anything but twice as wide as the canal.", None),
    ("Few farms grow 3 tonnes more than ours.", None),
    ("The crate fails to weigh twice as much as the box.", None),
    ("It is untrue that the fee is twice the fine.", None),
    ("Who says that the sofa is 3 kg heavier than the bed is lying.", None),
    ("The fee would be 4 euros more than the fine if it were raised, but it isn't.", None),
    ("I doubt that the quilt is 2 kilos heavier than the rug.", None),
    ("You can't tell me that the rug is 2 kilos heavier than the quilt.", None),
    ("The rent is by far not twice the fee.", None),
    ("The oak is nowhere close to 4 metres taller than the elm.", None),
    ("The oak is 4 metres taller than the elm, but that is wrong.", None),
    ("By far the oldest house, the mill is 30 years older than the inn.", "V1 = 30 + V2"),
    ("You can tell me that the rent is twice the fee.", "V1 = 2 * V2"),
    # two facts
    ("Ida has 3 more cards than Jon; Jon has twice as many cards as Kai.", None),
    ("The sum of two numbers is 20 and their difference is 4.", None),
    ("The sum of 5 and the product of 3 and a number is 20.", "5 + (3 * V1) = 20"),
    ("x plus y is 30 and x minus y is 4.", None),
    # an amount alone
    ("Three times as tall as the fence.", None),
    ("Seven times a number, plus 5.", None),
    ("Seven times a number, plus 5, is 40.", "(7 * V1) + 5 = 40"),
    ("The ferry carries no more than twice as many cars as the barge.", "V1 = 2 * V2"),
    ("The choir has no fewer than 12 singers more than the band.", "V1 = 12 + V2"),
    ("The quilt is not only 2 kilos heavier than the rug, it is softer too.", "V1 = 2 + V2"),
    ("No doubt the oak is 3 times as tall as the pear tree.", "V1 = 3 * V2"),
    ("Never before was the river 4 metres wider than the canal.", "V1 = 4 + V2"),
    ("Not counting the driver, the bus holds 12 more people than the van.", "V1 = 12 + V2"),
    ("Not including postage, the lamp costs 9 euros more than the vase.", "V1 = 9 + V2"),
    ("The fee cannot be less than 3 times the fine.", "V1 = 3 * V2"),
    ("Ravi collects nothing but coins and has 14 more than Ida.", "V1 = 14 + V2"),
    # three unknowns
    ("The length, the width and the height add up to 90 cm.", None),
    ("Ann, Bea and Cy together are 90 years old.", None),
    ("The rent, the power and the water come to 900 euros.", None),
    ("Ida, Jon and Kai together have 84 stamps.", None),
    ("The sum of the rent, the power bill and the water bill is 900 euros.", None),
    ("Together, Ida, Jon and Kai weigh 180 kilos.", None),
    ("Apples, pears and plums weigh 30 kilos in all.", None),
    ("The pen, the pad and the clip cost 9 euros together.", None),
    ("Mia, Leo and Tom have 60 marbles altogether.", None),
    ("The length and the width add up to 90 cm.", "V1 + V2 = 90"),
    ("Ida and Jon together have 84 stamps.", "V1 + V2 = 84"),
    ("On Monday, the length and the width add up to 90 cm.", "V1 + V2 = 90"),
    ("Ida, a nurse, and Jon have 84 stamps together.", "V1 + V2 = 84"),
    ("In May, a pen and a pad cost 9 euros together.", "V1 + V2 = 9"),
    ("Mia and her brother Leo have 60 marbles altogether.", "V1 + V2 = 60"),
    ("The twins, Mia and Leo, have 60 marbles altogether.", "V1 + V2 = 60"),
    ("My brother, Tom, and Leo have 60 marbles altogether.", "V1 + V2 = 60"),
    ("The sofa weighs 12 kg more than the lamp and the rug together.", "V1 = 12 + V2"),
    # intervals
    ("A number plus 3 lies from 30 to 40.", None),
    ("Twice a number is above 20 but below 40.", None),
    ("The mast is 9 metres, plus or minus 1, longer than the boom.", None),
    ("The mast is 9 metres longer than the boom, give or take 1.", None),
    ("The oak is 3 to 4 times as tall as the elm.", None),
    ("The oak is three to four times taller than the elm.", None),
    ("Ida has 5 or 6 more stamps than Jon.", None),
    ("Ida is 5 or 6 years older than Jon.", None),
    ("The oak is between twice and three times as tall as the elm.", None),
    ("The ratio of larks to wrens is 3 to 4.", "V1 / V2 = 3 / 4"),
    ("The fare rose from 30 to 40 euros.", "V1 = 40 - 30"),
    ("The album holds at least 5 more stamps than the box.", "V1 = 5 + V2"),
    ("The hall above the cellar is 20 metres longer than the shed.", "V1 = 20 + V2"),
    ("The sum of two numbers is below 40.", "V1 + V2 = 40"),
    ("The oak is 6 metres more than twice the height of the elm.", "V1 = 6 + (2 * V2)"),
    ("Between them, the twins have twice as many coins as Jon.", "V1 = 2 * V2"),
    ("The difference between the oak and the elm is 12 metres.", "V1 - V2 = 12"),
    ("The van is wider than the cart, but below 3 metres, and 12 kilos heavier than the sled.", "V1 = 12 + V2"),
    # numbers that are taken back
    ("The barn is 10 metres longer than the shed, no, 12.", None),
    ("The barn is 10 metres longer, no, 12 metres longer than the shed.", None),
    ("The barn is 10 - sorry, 12 - metres longer than the shed.", None),
    ("The sum of two numbers is 30, or rather 35.", None),
    ("The jug holds 3, I mean 4, litres more than the pot.", None),
    ("Mia has 20 - wait, 25 - more stamps than Leo.", None),
    ("The ticket costs 8, correction, 9 euros more than the snack.", None),
    ("Twice a number is 14, well, actually 16.", None),
    ("The fee is 10, no, 12 euros more than the fine.", None),
    ("The barn is 10 metres longer than the shed, not 12.", "V1 = 10 + V2"),
    ("Sorry, the barn is 10 metres longer than the shed.", "V1 = 10 + V2"),
    ("No, the jug holds 4 litres more than the pot.", "V1 = 4 + V2"),
    ("The bus is late, sorry, and 12 minutes slower than the tram.", "V1 = 12 + V2"),
    ("The ticket costs 3 euros more than, well, twice the price of the snack.", "V1 = 3 + (2 * V2)"),
    ("Yes, Ann is 3 years older than Ben.", "V1 = 3 + V2"),
    ("Ann is 3 years older than Ben, I mean it.", "V1 = 3 + V2"),
    ("The sum of two numbers is 30, no doubt.", "V1 + V2 = 30"),
    # scores, frequencies and what is no number
    ("The Reds won 12 to 4.", None),
    ("The Reds beat the Blues 12 to 4.", None),
    ("Leeds lost to York 3 to 1 at home.", None),
    ("Ida runs 5 miles more often than Jon.", None),
    ("Kim swims 2 hours more often than Lee.", None),
    ("A number divided by zero is 4.", None),
    ("4 divided by 0 is a number.", None),
    ("NaN is 3 more than a number.", None),
    ("Infinity is 3 more than a number.", None),
    ("Ida runs 5 miles more than Jon.", "V1 = 5 + V2"),
    ("Ida runs 5 times more often than Jon.", "V1 = 5 * V2"),
    ("A number divided by 4 is 10.", "V1 / 4 = 10"),
    ("Larks and wrens stand at 12 to 4.", "V1 / V2 = 12 / 4"),
    ("The shop Infinity sold 3 more phones than Nova.", "V1 = 3 + V2"),
    ("The Reds won 12 games more than the Blues.", "V1 = 12 + V2"),
    ("The fee is the fine divided by 0.5.", "V1 = V2 / 0.5"),
    ("The choir sings 4 times more often than the band.", "V1 = 4 * V2"),
    ("Risers beat fallers 7 to 2.", "V1 / V2 = 7 / 2"),
    # years
    ("In 5 years Anna will be twice as old as Ben.", None),
    ("In 6 years Tom will be three times as old as his niece.", None),
]


@pytest.fixture(scope="module")
def parses():
    return dict(zip(SAID, eqparse.load("fast").parse_batch([text for text, _ in SAID]), strict=True))


@pytest.mark.parametrize("text, equation", SAID)
def test_what_is_said(parses, text, equation):
    found = parses[text, equation].equation
    if equation is None:
        assert found is None
        return
    stated = Equation.parse(equation)
    forms = [stated, stated.renamed({"V1": "V2", "V2": "V1"})] if "V2" in equation else [stated]
    assert found is not None and found.canonical() in [form.canonical() for form in forms]
