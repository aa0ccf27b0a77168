"""Two things that a comparison takes as a whole."""

from __future__ import annotations

import pytest

from eqparse.text.wholes import Whole, compared_whole


@pytest.mark.parametrize("text, number, whole", [
    ("Maya is 3 years older than Kim and Lee together.", "3", "Kim and Lee"),
    ("The van is 3 kilos heavier than the cart and the trailer combined.", "3", "the cart and the trailer"),
    ("Ann is 400 euros richer than Bob and Carl put together.", "400", "Bob and Carl"),
    ("Ann and Bob together are 3 years older than Carl.", "3", "Ann and Bob"),
    ("The kitchen and the hall combined are 4 square metres smaller than the barn.", "4", "The kitchen and the hall"),
    ("Our choir has 12 more singers than the band and the orchestra together.", "12", "the band and the orchestra"),
    ("Nora has twice as many stamps as Otto and Piet combined.", "twice", "Otto and Piet"),
    ("The pond and the pool together hold 2.5 litres less than the vat.", "2.5", "The pond and the pool"),
    ("Lena and Max between them own 40 books more than Ida.", "40", "Lena and Max"),
    ("The lake is 3 times as deep as the pond and the pool put together.", "3", "the pond and the pool"),
    ("The mill made 30 sacks more in May than in June and July together.", "30", "June and July"),
    ("It is 12 kg heavier than the lamp, the rug and the bed put together.", "12", "the lamp, the rug and the bed"),
    ("Last year, Oslo and Bergen together sold 5 % more than Tromso.", "5", "Oslo and Bergen"),
])
def test_what_is_compared_as_a_whole(text, number, whole):
    found = compared_whole(text, text.index(number) + len(number))
    assert text[found.start : found.end] == whole


@pytest.mark.parametrize("text, number", [
    ("Kim and Lee together have 30 coins.", "30"), ("The cart and the trailer weigh 30 kilos together.", "30"),
    ("Maya is 3 years older than Kim, and Lee and Ida travelled together.", "3"),
    ("Maya is 3 years older than Kim and Lee.", "3"), ("Salt and cumin together with 15 grams of flour are 40.", "15"),
    ("Kim and Lee live together; Maya is 3 years older than Ida.", "3"),
    ("Of 30 coins Kim and Lee have more together than Maya.", "30"),
])
def test_what_is_no_compared_whole(text, number):
    assert compared_whole(text, text.index(number) + len(number)) is None


@pytest.mark.parametrize("phrase, cut", [
    ("Kim", True), ("Lee", True), ("Lee together", True), ("older than Kim and Lee", True), ("Kim and Lee", False),
    ("Kim and Lee together", False), ("Maya", False),
])
def test_a_part_is_not_the_whole(phrase, cut):
    text = "Maya is 3 years older than Kim and Lee together."
    assert Whole(27, 38, 47).is_cut_by(text.index(phrase), text.index(phrase) + len(phrase)) is cut
