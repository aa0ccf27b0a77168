"""A parser that reads through an encoder has probabilities too."""

from __future__ import annotations

from tiny import SENTENCES, hand_made
from tiny_encoder import random_encoder_parser, save_tiny

from eqparse.parser.calibration import Calibration
from eqparse.parser.nbest import NBest
from eqparse.systems.checkpoint import load_checkpoint, save_checkpoint


def test_its_probabilities_are_those_of_each_sentence_alone_and_of_its_checkpoint(tmp_path):
    parser = random_encoder_parser(save_tiny(tmp_path / "base"), refusal=True)
    calibration = Calibration({"tree": 2.0, "variable": 1.5}, slope=0.8, margin=0.2, intercept=-0.1, sentences=9)
    parser.decoder = NBest(calibration)
    together = parser.parse_mentions(hand_made(*SENTENCES, SENTENCES[0]))
    assert any(parse.alternatives for parse in together)
    assert together == [parser.parse_mentions([m])[0] for m in hand_made(*SENTENCES, SENTENCES[0])]
    save_checkpoint(tmp_path / "model", parser, config={}, metrics={}, annotator_version="x")
    again = load_checkpoint(tmp_path / "model").parser
    assert again.calibration == parser.calibration
    assert again.parse_mentions(hand_made(*SENTENCES, SENTENCES[0])) == together
