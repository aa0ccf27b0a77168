"""Sentences that deny a relation, doubt it, call it false or tell it of nobody."""

from __future__ import annotations

import pytest
from shapes import NOTHING, span

from eqparse.parser.rules.denied import is_called_false, is_denied, is_told_of_nobody


@pytest.mark.parametrize("text, number, denied", [
    ("The barn is not 4 metres longer than the shed.", "4", True), ("The barn isn't 4 metres longer.", "4", True),
    ("I'm not 4 years older than you.", "4", True), ("I am not twice your age.", "twice", True),
    ("They're not twice as old.", "twice", True), ("It's not 12, it is 4 more than ours.", "4", False),
    ("The fee is not twice the fare.", "twice", True), ("The fee wasn’t exactly half the fare.", "half", True),
    ("Ida does not weigh 4 kilos more than Jon.", "4", True), ("He didn't win 5 games more than Jon.", "5", True),
    ("The mast is not really 3 times as high as the boom.", "3", True), ("It has not cost $30 more.", "30", True),
    ("The fee will not be 9 euros more than the fare.", "9", True),
    ("It can't hold 4 litres more than ours.", "4", True),
    ("The fee was never twice the fare.", "twice", True), ("It is no longer 4 metres longer than ours.", "4", True),
    ("It is by no means 4 metres longer.", "4", True), ("Never mind, it is 4 metres longer.", "4", False),
    ("It is not only 4 metres longer, it is wider.", "4", False), ("It is not quite twice the fare.", "twice", False),
    ("Isn't the barn 4 metres longer than the shed?", "4", False), ("If you do not get 4, add 3.", "4", False),
    ("The barn is longer by 4 metres, not 5.", "4", False), ("It will not rain, and the barn is 4 longer.", "4", False),
    ("It is not yet 4 metres longer than the shed.", "4", False),
    ("The kettle hardly holds twice as much.", "twice", True), ("It scarcely weighs 3 kilos more.", "3", True),
    ("The oak is far from 3 times as tall.", "3", True), ("It is anything but twice as wide.", "twice", True),
    ("The crate fails to weigh twice as much.", "twice", True), ("It is nowhere near 12 metres longer.", "12", True),
    ("It isn't anywhere near 12 metres longer.", "12", True), ("Ida never had 12 more than Jon.", "12", True),
    ("It is heavy without being 3 kilos heavier.", "3", True), ("It cannot be 3 metres longer.", "3", True),
    ("The oak isn't, as they say, twice as old.", "twice", True), ("Max denied weighing 4 kilos more.", "4", True),
    ("Anna denies being twice as old as Ben.", "twice", True), ("I doubt that it is 2 kilos heavier.", "2", True),
    ("Olga denies that she has twice as many.", "twice", True), ("She doubts it is 2 kilos heavier.", "2", True),
    ("Nobody knows whether it is 4 metres higher.", "4", True), ("I wonder if it is twice as high.", "twice", True),
    ("It is unclear whether it is 4 metres higher.", "4", True), ("I don't think that it is 3 more.", "3", True),
    ("It carries no more than twice as many.", "twice", False), ("No doubt it is twice as old.", "twice", False),
    ("It has no fewer than 12 more.", "12", False), ("There is no doubt that it is twice as old.", "twice", False),
    ("Never before was it 4 metres wider.", "4", False), ("Not counting Ann, it holds 12 more.", "12", False),
    ("The fee cannot be less than 3 times the fine.", "3", False), ("He has nothing but pens, 4 more.", "4", False),
    ("Without the hat, he is 5 cm taller.", "5", False), ("The hut far from town is 6 m longer.", "6", False),
    ("It is not far from twice as old.", "twice", False), ("No one denies that it is twice as old.", "twice", False),
    ("It cannot be denied that it is twice as old.", "twice", False), ("It does not exceed twice it.", "twice", False),
    ("It is, whether you like it or not, 3 more.", "3", False), ("In doubt, add 3.", "3", False),
    ("It is hardly a third of the fee.", "a third", False), ("It never rose over 17 in May.", "17", False),
    ("I'm not convinced that it is 5 metres deeper.", "5", True), ("I am not sure it is twice as tall.", "twice", True),
    ("It's not as if the bus were twice as fast.", "twice", True), ("It is not as though it cost 4 more.", "4", True),
    ("Rita claims not to be 4 years older.", "4", True), ("The oak seems not to have 4 more rings.", "4", True),
    ("Rita no longer earns 40 euros more.", "40", True), ("It no longer stands 3 metres taller.", "3", True),
    ("It's debatable whether it weighs 3 kg more.", "3", True), ("That does not prove that it is 3 more.", "3", True),
    ("I'm sure that it is 3 metres taller.", "3", False), ("I'm not sure of much, but it is 3 m taller.", "3", False),
    ("I can't believe that he pays 4 % more.", "4", False), ("I don't believe he pays 4 % more.", "4", True),
    ("I'm not joking, it is 3 metres taller.", "3", False), ("It is no longer than 3 metres.", "3", False),
    ("The list doesn't say that it rose 6 % to 90.", "6", False),
    ("It is not to be pruned and is 3 metres taller.", "3", False),
    ("You can't tell me that the fee is twice the fare.", "twice", True), ("Don't tell me it is 4 more.", "4", True),
    ("You cannot tell us it is 4 kilos heavier.", "4", True), ("Never tell me it is twice as old.", "twice", True),
    ("Don't you tell me that it is twice as old.", "twice", True), ("Do tell me: is it 4 m longer?", "4", False),
    ("You can tell me that the fee is twice the fare.", "twice", False), ("Tell me when it is 4 more.", "4", False),
    ("He didn't tell me that it is 4 metres taller.", "4", False), ("Don't tell Mum that it is 4 more.", "4", False),
    ("Don't tell me now, but it is 4 metres taller.", "4", False),
    ("The fee is by far not twice the fare.", "twice", True), ("The fee is certainly not 4 euros more.", "4", True),
    ("The fee is by far the dearest, twice the fare.", "twice", False), ("It was clearly not 4 higher.", "4", True),
    ("It is not at all 4 metres taller.", "4", True), ("It isn't by any means 4 metres taller.", "4", True),
    ("It's nowhere close to 4 metres taller.", "4", True), ("It isn't even close to twice it.", "twice", True),
    ("It is not close to 4 metres taller.", "4", True), ("It does not weigh anything like 4 more.", "4", True),
    ("It is not anything like 4 kilos heavier.", "4", True), ("It is not close to us, 4 km farther.", "4", False),
    ("I refuse to believe that it is 4 metres taller.", "4", True), ("She disagrees that it is 4 more.", "4", True),
    ("I refuse to pay 4 euros more than Ann.", "4", False), ("The scales disagree by 4 grams.", "4", False),
    ("It is neither twice as old nor as tall.", "twice", True), ("Ann has neither 4 more stamps nor 5.", "4", True),
    ("As if the oak were 4 metres taller!", "4", True), ("Really? As though it were twice as old!", "twice", True),
    ("As if on cue the bus sold 4 more tickets.", "4", False), ("As though in a trance he ate 4 more.", "4", False),
    ("He refused to agree to a rent that is 4 euros higher.", "4", False),
    ("She refused to think of a fee 4 euros higher.", "4", False), ("He refuses to agree that it is 4.", "4", True),
    ("As if by magic, it is 4 metres taller.", "4", False), ("It looks as if it is 4 m taller.", "4", False),
])
def test_a_relation_that_is_denied(text, number, denied):
    assert is_denied(NOTHING._replace(text=text, numbers=(span(text, number),))) is denied


@pytest.mark.parametrize("text, false", [
    ("It is not true that the fee is twice the fare.", True), ("It isn't the case that the mast is 4 m longer.", True),
    ("It was a myth that the oak is 3 times as old.", True), ("It would be wrong to say that it cost $9 more.", True),
    ("The rumour that the fee is twice the fare is false.", True), ("Under no circumstances will it be 4 more.", True),
    ("There is no truth in the story that Ida has 3 more.", True), ("Nobody believes that it is twice as big.", True),
    ("It is nonsense that the fee is twice the fare.", True), ("It's untrue that it cost $9 more.", True),
    ("Anyone who claims it costs 3 more is making it up.", True),
    ("Who says that it is 3 kg heavier is lying.", True), ("If you think it is 3 more, you are wrong.", True),
    ("Whoever claims that it is 50 m longer is mistaken.", True), ("He wrongly claims that it is 4 higher.", True),
    ("It would be twice as deep if we dug, but it isn't.", True), ("That it is twice the fare is nonsense.", True),
    ("People say it is twice as old, but that is not true.", True), ("No one says that it is 3 more.", True),
    ("Wrong answers were 12 more than right ones.", False), ("The barn is 4 m longer, but the mill isn't.", False),
    ("It is 4 metres longer, but it isn't wider.", False), ("Who says so has 3 more than Ann.", False),
    ("Contrary to what they say, it is 4 metres longer.", True), ("It is true that it is twice as big.", False),
    ("Nobody believes this, but it is 4 metres longer.", False), ("The story that I read is twice as long.", False),
    ("They found that it was wrong by 4 metres.", False),
    ("Nothing suggests that the bus is twice as fast.", True), ("Nothing yet shows that it is 4 more.", True),
    ("The mast is 3 m longer, which is wrong.", True), ("The mast is 3 m longer, and that is not true.", True),
    ("The mast is 3 m longer. Just kidding.", True), ("The mast is 3 m longer, which is a third more.", False),
    ("It is 3 more and not, as some wrongly state on their sites, 4.", False),
    ("He is 6 grand up, I'm not even joking.", False), ("The sum that is wrong is 3 more.", False),
    ("Nothing shows better how tall it is: 4 m more than ours.", False),
    ("The mast is 3 m longer, but that is wrong.", True), ("The mast is 3 m longer, but it's not true.", True),
    ("The mast is 3 m longer, yet that's all nonsense.", True), ("The mast is 3 m longer; that was a lie.", True),
    ("The mast is 3 m longer than a post that was wrong.", False), ("The mast is 3 m longer, he lied.", True),
    ("The mast is 3 m longer, or so they wrongly say.", True), ("It is 3 m longer, or so they say.", False),
    ("It is said, wrongly, to be 3 m longer.", True), ("Some state falsely that it is 3 m longer.", True),
    ("Is the mast 3 m longer than the boom? No.", True), ("The mast is 3 m longer? Of course not!", True),
    ("Is the mast 3 m longer? No, 4 m.", False), ("The mast is 3 m longer? Never mind the boom.", False),
    ("The claim that it is 3 m longer has been withdrawn.", True), ("Nobody can tell me that it is 3 more.", True),
    ("The story that it is 3 m longer turned out to be false.", True), ("It turned out that it is 3 more.", False),
    ("The belief that it is 3 m longer is not true.", True), ("The claim that Ann withdrew is 3 m longer.", False),
    ("It can't be true that the mast is 3 m longer.", True), ("It cannot be the case that it is 3 m longer.", True),
    ("Whether the mast is 3 m longer is unknown.", True), ("Whether it is 3 m longer remains unclear.", True),
    ("Whether old or new, the mast is 3 m longer.", False), ("It can be true that it is 3 m longer.", False),
    ("Whether it rains is unclear, but the mast is 3 m longer.", False),
    ("Whether open or shut, the box is open to 3 more guests than the hall.", False),
    ("Whether the mast is 3 m longer was not certain in 2010.", True),
    ("That car has been withdrawn and costs 4 euros more.", False),
    ("The claim that was withdrawn is 3 pages longer.", False), ("That is wrong: Ann has twice as many.", False),
    ("That stall was mistaken for a shop and is 3 metres wider.", False),
    ("The claim that it is 3 m longer was withdrawn in 2010.", True),
    ("Nobody told me the mast is 3 m longer.", False), ("No one told the crew that it is 3 m longer.", False),
    ("Nobody said the mast is 3 m longer.", True), ("No one will tell us that it is 3 m longer.", True),
    ("The mast is 3 m longer. That is false.", True), ("The mast is 3 m longer! That was old news.", False),
    ("He lied, and the mast is 3 m longer.", False), ("The bridge is 3 m longer than that of a lie.", False),
])
def test_a_statement_that_is_called_false(text, false):
    assert is_called_false(NOTHING._replace(text=text)) is false


@pytest.mark.parametrize("text, phrase, nobody", [
    ("Neither has 3 more than Ben.", "Neither", True), ("Nobody paid 3 dollars more than Ben.", "Nobody", True),
    ("No one has twice as many marbles as Ben.", "No one", True), ("It is 3 more than no-one has.", "no-one", True),
    ("None of the boys is 4 years older than Ida.", "None of the boys", True),
    ("Nothing weighs 4 kilos more than the stone.", "Nothing", True),
    ("Neither of the vans is 3 times as heavy as the cart.", "Neither of the vans", True),
    ("Nobody knew, but Ida has 3 more than Ben.", "Ida", False), ("Yes leads No by 12 votes.", "No", False),
    ("Nonesuch has 3 more windows than the mill.", "Nonesuch", False),
])
def test_an_amount_of_nobody(text, phrase, nobody):
    assert is_told_of_nobody(NOTHING._replace(text=text, phrases=(text.index(phrase),))) is nobody


@pytest.mark.parametrize("text, nobody", [
    ("Nobody I know has 3 more than me.", True), ("No one here is 3 years older than Ann.", True),
    ("Nothing that we sell costs 3 euros less.", True), ("Nobody doubts that it is 3 years older.", False),
    ("No house is 3 metres taller than the church.", True), ("No lamp in the shop costs 3 euros more.", True),
    ("Few farms grow 3 tonnes more than ours.", True), ("Not many farms grow 3 tonnes more.", True),
    ("No two towns are 3 miles farther from here.", True), ("Hardly any rider was 3 minutes faster.", True),
    ("Not every van holds 3 more crates.", True), ("At no time was it 3 times as deep.", True),
    ("There is no proof that Ann is 3 years older.", True), ("Neither the oak nor the elm is 3 times as tall.", True),
    ("No more than 3 of them came.", False), ("No doubt it is 3 more than ours.", False),
    ("No wonder it is 3 metres wider.", False), ("A few years ago she was 3 years older.", False),
    ("The few books here weigh 3 kilos more.", False), ("Few would deny that it is 3 more.", False),
    ("No entry shall pass the limit by 3 words.", False), ("After 40 boxes, Yes and No stand at 3 to 1.", False),
    ("There's no way the crate weighs 3 kg more.", True), ("There's no proof that it is 3 metres taller.", True),
    ("It's no coincidence that it is 3 m longer.", False), ("It's no secret that it is 3 m longer.", False),
    ("It's no good, and 3 metres shorter.", False), ("It's no taller than 3 men.", False),
    ("Poll: No ahead by 3, down from 9.", False), ("Yes is 3 points up, and No behind by 3.", False),
    ("The pond has no fish, and is 3 metres wider.", False), ("No later than 3 days after, it was paid.", False),
])
def test_what_is_told_of_none_or_few(text, nobody):
    assert is_told_of_nobody(NOTHING._replace(text=text, numbers=(span(text, "3"),))) is nobody
