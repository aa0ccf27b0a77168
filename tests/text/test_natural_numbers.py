"""Numbers of natural sentences: a currency glued on, a unit said once, a fraction without its whole."""

from __future__ import annotations

import pytest

from eqparse.text.quantities import find_quantities

SPOKEN_THOUSANDS = {
    "The site is about six hundred K north of the plan in visits.": [600000],
    "We closed at two hundred K above the forecast.": [200000],
    "The blog has fifty K readers more than the podcast.": [50000],
    "The flat sold for ninety K less than the house.": [90000],
    "The deal is worth five mil more than the last.": [5000000],
    "The bonus was twenty k.": [20000],
    "The gas was cooled to three hundred K.": [300],
    "The alloy superconducts at ninety K, a temperature reached with nitrogen.": [90],
    "She ran a ten K race.": [10],
    "The bore is four thou over, and the shaft is 3 thou under.": [4, 3],
    "The four K screen is 2 inches wider than the old screen.": [4, 2],
}
RAND = {
    "Member price R849, a saving of R150.": [849, 150],
    "Inspection fee: R380, i.e. R120 over the first.": [380, 120],
    "The ticket costs R95, or R20 below the door price.": [95, 20],
    "Pay R65 now and R15 later.": [65, 15],
    "The price fell from R240 to R199.": [240, 199],
    "A deposit of R500 leaves a balance of R1800.": [500, 1800],
    "Room R12 costs more than room R14.": [],
    "The model R380 sells for $20 more than the R370.": [20],
    "The droid R2D2 cost 40 dollars more.": [40],
    "The fit has R2 of 0.8.": [0.8],
    "The R61 costs the province more to keep up.": [],
    "The price of a BMW R1200 rose.": [],
}
GLUED_CENTS = {
    "Wool put on 27c to end at 1,189c/kg clean.": [0.27, 11.89],
    "The unit price is 3.8c higher than in summer.": [0.038],
    "The interim dividend of 12c is 2c up on last year.": [0.12, 0.02],
    "Earnings per share came to 45c, 5c below the forecast.": [0.45, 0.05],
    "Petrol at the pump is 7c a litre cheaper than diesel.": [0.07],
    "The tariff rises by 1.5c per kWh.": [0.015],
    "The peak price is 3c dearer once 900 units of the quarter are used, the supply charge staying at 91c a day.":
        [0.03, 900, 0.91],
    "Canola sheds 14c/lb.": [0.14],
    "Fold in 2c flour and 1c sugar.": [],
    "It was 27c in the shade at noon.": [],
    "The oven runs at 180c and the price is $400.": [400],
    "Flat 4c costs 40 dollars more than the attic.": [40],
    "He climbs 6c and she climbs 7a.": [],
}
ONE_AND_A_HALF = {
    "Six acres, of which one and a half are heath, face south.": [6, 1.5],
    "Nine miles, of which one and three quarters are cobbled, lie ahead.": [9, 1.75],
    "The jar holds two cups, of which one and a quarter is oil.": [2, 1.25],
    "Ask which one and a half of the crowd will shrug.": [0.5],
}
PARTS = {
    "Turnout slumps to 7% from a fifth": [0.07, 0.2],
    "The share goes from a quarter to well over a third.": [0.25, 1 / 3],
    "Support fell from a third in two years.": [1 / 3, 2],
    "Half the basil goes in now, a quarter at the ten-minute mark, the rest on top.": [0.5, 0.25, 10],
    "Half of the class walk, a third come by bus and the remaining four cycle.": [0.5, 1 / 3, 4],
    "The firs put on 2 mm a year, their neighbours a tenth.": [2, 0.1],
    "The elms lost 8 leaves a day, the oaks a quarter.": [8, 0.25],
    "Of the members a third are women.": [1 / 3],
    "Two bids came from Norway and one from a third.": [2, 1],
    "Two ferries were full and the crew of a third are on strike.": [2],
    "Half the guests left, a third man stayed and the rest slept.": [0.5],
    "He had four sons, his brother a fifth.": [4],
    "We close at a quarter to six.": [],
    "She came from a third country.": [],
}
POINTS = {
    "The party won 11.8 per cent, or half a point less than the polls had it.": [0.118, 0.005],
    "The rate fell half a point to 4.25%.": [0.005, 0.0425],
    "The rate is 4.25%, a quarter point lower than in May.": [0.0425, 0.0025],
    "The share is up three-quarters of a point at 12%.": [0.0075, 0.12],
    "Unemployment is 6%, a point and a half above the norm.": [0.06, 0.015],
    "They polled 27% and the rival came within 2 points of them.": [0.27, 0.02],
    "He won the match by half a point.": [0.5],
    "The index is half a point lower at 80, with 5% of shares traded.": [0.5, 80, 0.05],
    "The judge took half a point off each dive.": [0.5],
    "They scored 27% of the goals and won by 2 points.": [0.27, 2],
}
UNIT_SAID_ONCE = {
    "The rate went from 2 percent to nearly 6 in a year.": [0.02, 0.06],
    "Turnout slid from 48% to 41.": [0.48, 0.41],
    "The share rose to 12% from 9.": [0.12, 0.09],
    "The poll has 58% opposed, up 11.": [0.58, 0.11],
    "Approval is at 31%, down 4 on last month.": [0.31, 0.04],
    "Output rose 5% to 300 tonnes.": [0.05, 300],
    "The offer went from 20% to 6 free weeks.": [0.2, 6],
    "Profit rose 8% to 40 from 37.": [0.08, 40, 37],
    "The stock is up 3% on the day, down 20 dollars on the year.": [0.03, 20],
    "A pen costs 80 cents, 3 times as much as a nib.": [0.8, 3],
}
COINS = {
    "A bun costs a dime more than a roll.": [0.1],
    "The ferry is a nickel cheaper than the bus.": [0.05],
    "They raised the toll by a dime.": [0.1],
    "A nickel less than the fare is 45 cents.": [0.05, 0.45],
    "Bread is up a nickel on last week.": [0.05],
    "The coffee costs a dime.": [0.1],
    "Jokes are a dime a dozen.": [12],
    "She found a dime and a nickel in the coat.": [],
    "The firm owns a nickel mine 3 km wide.": [3],
    "It stops on a dime.": [],
}
SPOKEN_WEIGHTS = {
    "The lifter is sitting at two-oh-five, six kilos clear of the field.": [205, 6],
    "He dropped twelve pounds and is down at two-eighteen.": [12, 218],
    "She is up at one-thirty, two pounds over.": [130, 2],
    "The meeting starts at two-oh-five.": [],
    "The doors open at two-eighteen, and six kilos of figs are sold.": [6],
    "We met at six thirty.": [],
}
TIMES_AND_HEIGHTS = {
    "It is 1h50 door to door three days a week.": [11 / 6, 3],
    "The climb took 2h40 car to car.": [8 / 3],
    "He is a six foot nine second-row, two inches taller than the rest.": [6.75, 2],
    "She is a six foot two goalkeeper.": [6 + 1 / 6],
    "A five foot ten winger plays on the left.": [5 + 5 / 6],
    "The train at 14h30 is 20 minutes late.": [20],
    "Buy a six foot plank and nine screws.": [6, 9],
}
KINDS = [SPOKEN_THOUSANDS, RAND, GLUED_CENTS, ONE_AND_A_HALF, PARTS, POINTS, UNIT_SAID_ONCE, COINS, SPOKEN_WEIGHTS,
         TIMES_AND_HEIGHTS]  # fmt: skip


@pytest.mark.parametrize(("text", "values"), [case for kind in KINDS for case in kind.items()])
def test_numbers_of_natural_sentences(text, values):
    assert [q.value for q in find_quantities(text)] == pytest.approx(values)
