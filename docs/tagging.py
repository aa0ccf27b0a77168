"""Author, title or place? The words of made-up references, tagged by a chain; eqparse.structured."""

import random

import torch
from torch import Tensor, nn

from eqparse.structured.spaces.output_space import OutputSpace, score
from eqparse.structured.svm import Block, BlockCoordinateFrankWolfe, train_latent

# Wells is a writer, a town, and a word of titles: most words say little by themselves
SHARED = "wells hill baker reading lake stone march green field north bell cross brook ford heath marsh".split()
FIELDS = (("and".split(), 1, 3), ("of the on".split(), 2, 5), ("near".split(), 1, 2))  # own words, fewest, most words
WORDS = ["", *(word for own, *_ in FIELDS for word in own), *SHARED]  # the empty one stands after the last
TAGS, LONGEST = len(FIELDS), sum(most for *_, most in FIELDS)


class Chains(OutputSpace):
    """Tag sequences. Part scores [B, n - 1, TAGS, TAGS]: entry [b, i, c, p] is for tag c at word i + 1, tag p at i."""

    def __init__(self, lengths: Tensor) -> None:
        self.lengths, self.shape = lengths, (len(lengths), LONGEST - 1, TAGS, TAGS)  # int64 [B], from 2 to n words

    def inside(self, semiring: type, scores: Tensor) -> Tensor:
        parts = semiring.convert(scores)
        alpha = semiring.one_(parts.new_empty(len(parts), len(scores), TAGS))
        for i in range(scores.shape[1]):  # alpha(i + 1, c) = sum_p alpha(i, p) * part(i, c, p)
            after = semiring.sum(semiring.mul(alpha.unsqueeze(-2), parts[:, :, i]))
            alpha = torch.where((i + 1 < self.lengths)[:, None], after, alpha)
        return semiring.sum(alpha)


class Tagger(nn.Module):
    """Linear in `weight`: a row for each word at a tag, and one for each tag before a tag."""

    linear = True

    def __init__(self, *, transitions: bool = True) -> None:
        super().__init__()
        self.transitions = transitions
        self.weight = nn.Parameter(torch.zeros(len(WORDS) + TAGS, TAGS))

    def forward(self, words: Tensor) -> Tensor:
        """Part scores of words, int64 [B, n]."""
        tag = self.weight[words]
        parts = tag[:, 1:, :, None] + self.weight[-TAGS:].T * self.transitions
        return torch.cat([parts[:, :1] + tag[:, :1, None], parts[:, 1:]], 1)  # the first part scores two words


def references(count: int, *, seed: int) -> Block:
    """So many references with their tags; a quarter of the words are their field's own. Loss: words tagged wrongly."""
    draw = random.Random(seed)
    fields = [[t for t, field in enumerate(FIELDS) for _ in range(draw.randint(*field[1:]))] for _ in range(count)]
    words, gold = torch.zeros(count, LONGEST, dtype=torch.int64), torch.zeros(count, LONGEST - 1, TAGS, TAGS)
    for b, tags in enumerate(fields):
        for i, tag in enumerate(tags):
            words[b, i] = WORDS.index(draw.choice(FIELDS[tag][0] if draw.random() < 0.25 else SHARED))
            gold[b, i - 1, tag, tags[i - 1]] = float(i > 0)
    cost = 1 - gold.sum(3, keepdim=True).expand_as(gold)
    cost[:, 0] += 1 - gold[:, 0].sum(1, keepdim=True)
    return Block(
        inputs=words, space=Chains((words > 0).sum(1)), cost=cost, constant=torch.zeros(count),
        gold=gold[:, None], gold_mask=torch.ones(count, 1, dtype=torch.bool),
    )


def accuracy(*, transitions: bool) -> float:
    """Percent of the words of 500 references tagged rightly, after training on 320 others."""
    model, test = Tagger(transitions=transitions), references(500, seed=40)
    options = {"max_epochs": 200, "tolerance": 0.01, "working_set": 20, "averaging": False}
    solver = BlockCoordinateFrankWolfe(regularization=1 / 32, **options)
    train_latent(model, [references(8, seed=s) for s in range(40)], solver)
    found = test.space.argmax(model(test.inputs))
    return 100 * (1 - float(score(test.cost, found.parts).sum() / test.space.lengths.sum()))


if __name__ == "__main__":
    print(f"each word by itself {accuracy(transitions=False):.1f}\nas a chain {accuracy(transitions=True):.1f}")
