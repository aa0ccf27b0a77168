"""Training of the joint system: one structured SVM over quantities, variables and tree, solved like any other.

The trigger lists of a sentence are too many to give each its tree features. A pool of them stands for all: the gold
lists, some at random, and after each round those that violate the margin most under the weights so far, by their
quantity and variable scores and losses. Within the pool inference is exact, so the solvers of
`eqparse.structured.svm` and their guarantees hold; rounds end when the beam brings no new list.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np
import torch
from torch import Tensor, nn

from eqparse.corpus.example import Example
from eqparse.errors import ConfigError, DataError
from eqparse.parser.limits import Limits, check_leaves, check_mentions
from eqparse.scoring.features.hashing import MULTIPLIER
from eqparse.scoring.hashed_linear import PartInputs, compact, linear_scores
from eqparse.stages.base import Task
from eqparse.stages.coreference import DIFFERENT, SAME, CoreferenceProblem
from eqparse.stages.derivation import gold_trees
from eqparse.stages.refusal import EQUATION, NONE
from eqparse.stages.tree import MAX_LEAVES, TreeProblem
from eqparse.stages.variable import VariableProblem, structures
from eqparse.structured.spaces.beam import OneThen
from eqparse.structured.spaces.cky import BinaryTrees
from eqparse.structured.svm.block import Block
from eqparse.structured.svm.latent import LatentResult, train_latent
from eqparse.systems.joint.parser import JointParser, TriggerChoice, enumerate_choices
from eqparse.text.mentions import Mentions
from eqparse.text.triggers import trigger_list
from eqparse.training.gold import Gold, gold_sets
from eqparse.training.train import MakeSolver, Progress, StageOptions, Training, build_parser, phrase_choices

STAGES = ("quantity", "variable", "tree")
MAX_GOLD = 24  # gold structures of a sentence, beyond which they differ only by equal numbers


@dataclass(frozen=True)
class Problem:
    """A training sentence with its gold sets and, for each gold trigger list, the gold trees over it."""

    mentions: Mentions
    gold: Gold
    trees: dict[TriggerChoice, tuple]


@dataclass(frozen=True)
class JointInputs:
    """What `JointLinear` needs to score a block of B problems with K trigger lists each.

    parts: inputs of each stage. member: [B, K, quantities], whether a list has a quantity. variable: int64 [B, K], the
    flat number of each list's variable part.
    """

    parts: tuple[PartInputs, ...]
    member: Tensor
    variable: Tensor


class JointLinear(nn.Module):
    """The stages' linear scorers as one linear model. sizes: (buckets, labels) of each stage; weight: flat."""

    def __init__(self, sizes: Sequence[tuple[int, int]]) -> None:
        super().__init__()
        self.sizes = tuple(sizes)
        self.weight = nn.Parameter(torch.zeros(sum(math.prod(size) for size in sizes)))

    def weights(self) -> list[Tensor]:
        """The weights of each stage, [buckets, labels]."""
        pieces = self.weight.split([math.prod(size) for size in self.sizes])
        return [piece.view(size) for piece, size in zip(pieces, self.sizes, strict=True)]

    def forward(self, inputs: JointInputs) -> Tensor:
        """[B, K, 1 + F]: the score of a list's quantities and phrases, and of each node that its tree may have."""
        quantity, variable, tree = (
            linear_scores(weight, parts) for weight, parts in zip(self.weights(), inputs.parts, strict=True)
        )
        outer = torch.einsum("bkq,bq->bk", inputs.member, quantity) + variable.flatten()[inputs.variable]
        return torch.cat([outer.unsqueeze(-1), tree.view(*outer.shape, -1)], -1)


def train_joint(
    examples: Sequence[Example],
    mentions: Sequence[Mentions],
    *,
    options: StageOptions,
    make_solver: MakeSolver,
    beam: int = 30,
    rounds: int = 4,
    block_size: int = 16,
    max_rounds: int = 5,
    seed: int = 0,
    device: torch.device | str = "cpu",
    progress: Progress | None = None,
) -> Training:
    """Train a `JointParser`; sentences that no parse can get right, or that `options.limits` refuse, are left out.

    Raises DataError if none is left.

    beam: trigger lists a sentence that are searched, and that join the pool in each round. rounds: of filling the pool
    and solving. max_rounds: of choosing among gold structures within each.
    """
    if not options.projective or options.independent_quantities:
        raise ConfigError(
            "joint learning: expected projective trees and quantities decided together; leave out "
            "stage.projective=false and stage.independent_quantities=true"
        )
    parser = JointParser(**dict(build_parser(options).named_children()), limits=options.limits, beam=beam)
    parser = parser.to(device).train()
    first = options.phrases == "first"
    kept = [(e, m) for e, m in zip(examples, mentions, strict=True) if check_mentions(m, options.limits) is None]
    stated = [(e, m) for e, m in kept if e.equation is not None]
    found = [gold_problem(e, m, first_phrase=first, limits=options.limits) for e, m in stated]
    problems = [p for p in found if p is not None]
    if not problems:
        raise DataError(f"joint learning: expected at least one sentence to learn from, found none in {len(examples)}")
    results: dict[str, LatentResult] = {}
    counts: dict[str, int] = {}
    seconds: dict[str, float] = {}
    fit_options = {"block_size": block_size, "max_rounds": max_rounds}
    apart = ((parser.refusal, refusal_tasks(kept)), (parser.coreference, coreference_tasks(problems)))
    for stage, tasks in apart:
        if stage is None or not tasks:
            continue
        start = perf_counter()
        tell = None if progress is None else lambda entry, name=stage.name: progress(name, entry)
        solver = make_solver(stage.name, len(tasks))
        results[stage.name] = stage.fit(tasks, solver, seed=seed, progress=tell, **fit_options)
        counts[stage.name], seconds[stage.name] = len(tasks), perf_counter() - start
    if "refusal" not in results:
        parser.refusal = None
    start = perf_counter()
    tell = None if progress is None else lambda entry: progress("joint", entry)
    results["joint"] = fill_and_solve(
        parser, problems, make_solver, beam=beam, rounds=rounds, seed=seed, progress=tell, **fit_options
    )
    counts["joint"], seconds["joint"] = len(problems), perf_counter() - start
    return Training(parser.eval(), results, counts, seconds)


def fill_and_solve(
    parser: JointParser, problems: Sequence[Problem], make_solver: MakeSolver, *, beam: int, rounds: int, seed: int,
    **fit_options,
) -> LatentResult:
    """Rounds of solving and of adding to the pools -> the solvers' results one after the other."""
    generator = np.random.default_rng(seed)
    pools = [random_pool(p, beam, parser, generator) for p in problems]
    found: list[LatentResult] = []
    for number in range(1, rounds + 1):
        found.append(fit(parser, problems, pools, make_solver("joint", len(problems)), **fit_options))
        if number < rounds and not extend(parser, problems, pools, beam):
            break
    return LatentResult(
        [r for one in found for r in one.rounds], [c for one in found for c in one.changes], found[-1].positives
    )


def refusal_tasks(pairs: Sequence[tuple[Example, Mentions]]) -> list[Task]:
    """Does a sentence state an equation? None where all do, or none does."""
    states = [EQUATION if e.equation is not None else NONE for e, _ in pairs]
    if len(set(states)) < 2:
        return []
    return [Task(m, [state]) for (_, m), state in zip(pairs, states, strict=True)]


def gold_problem(
    example: Example, mentions: Mentions, *, first_phrase: bool = False, limits: Limits | None = None
) -> Problem | None:
    """A training problem, or None where no parse is right."""
    gold = gold_sets(example, mentions, first_phrase=first_phrase)
    trees = {}
    for quantities in gold.quantities:
        for uses in gold.variables:
            choice = TriggerChoice(quantities, uses)
            if check_leaves(choice.leaves, limits or Limits()) is None:
                found = gold_trees(example.equation, trigger_list(mentions, quantities, uses))
                if found and sum(map(len, trees.values())) < MAX_GOLD:
                    trees[choice] = found
    return Problem(mentions, gold, trees) if trees else None


def coreference_tasks(problems: Sequence[Problem]) -> list[Task]:
    """Is each gold pair of phrases one variable? Of several gold choices the first."""
    tasks = []
    for p in problems:
        choice = next(iter(p.trees))
        if len(choice.uses) == 2:
            same = SAME if choice.uses[0][0] == choice.uses[1][0] else DIFFERENT
            tasks.append(Task(CoreferenceProblem(p.mentions, choice.phrases, len(choice.quantities)), [same]))
    return tasks


def random_pool(p: Problem, size: int, parser: JointParser, generator: np.random.Generator) -> list[TriggerChoice]:
    """The gold lists of a problem and `size` others at random; the first pool, when no weights are known."""
    phrases = structures(p.mentions)
    count = len(p.mentions.quantities)
    pairs = []
    for _ in range(size):
        flags = generator.random(count) < 0.5
        flags[generator.integers(count)] = True
        pairs.append((tuple(np.flatnonzero(flags).tolist()), phrases[generator.integers(len(phrases))]))
    pairs = [(q, v) for q, v in pairs if len(q) + len(v) <= parser.limits.leaves]
    uses = parser.label([p.mentions] * len(pairs), [v for _, v in pairs], [len(q) for q, _ in pairs])
    return list(dict.fromkeys([*p.trees, *(TriggerChoice(q, tuple(u)) for (q, _), u in zip(pairs, uses, strict=True))]))


def extend(parser: JointParser, problems: Sequence[Problem], pools: list[list[TriggerChoice]], beam: int) -> int:
    """Add to each pool the lists that violate the margin most -> how many are new."""
    new = 0
    for at in range(0, len(problems), 64):
        some = problems[at : at + 64]
        found = enumerate_choices(parser, [p.mentions for p in some], beam=beam, gold=[p.gold for p in some])
        for number, lists in enumerate(found, start=at):
            fresh = [choice for choice in lists.choices if choice not in set(pools[number])]
            pools[number] += fresh
            new += len(fresh)
    return new


def fit(
    parser: JointParser, problems: Sequence[Problem], pools, solver, *, block_size: int, max_rounds: int, progress
) -> LatentResult:
    """Solve the SVM over the pools and set the stages' weights."""
    # like beside like, so that little of a block is padding
    order = sorted(range(len(problems)), key=lambda n: (max(c.leaves for c in pools[n]), len(pools[n]), n))
    chunks = [order[at : at + block_size] for at in range(0, len(order), block_size)]
    blocks = [joint_block(parser, [problems[n] for n in chunk], [pools[n] for n in chunk]) for chunk in chunks]
    stages = [getattr(parser, name) for name in STAGES]
    columns, buckets = [], []
    for k in range(len(STAGES)):
        inputs, used = compact([block.inputs.parts[k] for block in blocks])
        columns.append(inputs)
        buckets.append(used)
    inputs = [replace(b.inputs, parts=parts) for b, parts in zip(blocks, zip(*columns, strict=True), strict=True)]
    blocks = [replace(block, inputs=new) for block, new in zip(blocks, inputs, strict=True)]
    model = JointLinear([(len(u), s.labels) for u, s in zip(buckets, stages, strict=True)]).to(stages[0].device)
    result = train_latent(model, blocks, solver, max_rounds=max_rounds, progress=progress)
    with torch.no_grad():
        for stage, weight, used in zip(stages, model.weights(), buckets, strict=True):
            stage.scorer.weight.zero_()
            stage.scorer.weight[used] = weight.half().float()  # as in Stage.fit: what a checkpoint keeps
    return result


def joint_block(parser: JointParser, problems: Sequence[Problem], pools: Sequence[Sequence[TriggerChoice]]) -> Block:
    """Features, output space, losses and gold structures of some problems with their pools."""
    count, width = len(problems), max(map(len, pools))
    padded = [list(pool) + [pool[0]] * (width - len(pool)) for pool in pools]
    mask = torch.tensor([[k < len(pool) for k in range(width)] for pool in pools])
    quantity = parser.quantity.batch([p.mentions for p in problems]).inputs
    member = torch.zeros(count, width, quantity.shape[1])
    for b, pool in enumerate(padded):
        for k, choice in enumerate(pool):
            member[b, k, list(choice.quantities)] = 1
    variable, number = variable_inputs(parser, problems, padded)
    tree, lengths, inner_shape, columns = tree_inputs(parser, problems, padded)
    inner = BinaryTrees(lengths, parser.tree.labels, [0], max_leaves=MAX_LEAVES)
    device = parser.quantity.device
    quantity, variable, tree = (inputs.to(device) for inputs in (quantity, variable, tree))
    cost, gold, gold_mask = (t.to(device) for t in losses(problems, padded, columns, inner_shape))
    return Block(
        inputs=JointInputs((quantity, variable, tree), member.to(device), number.to(device)),
        space=OneThen(inner, mask.to(device), columns=columns.to(device), inner_shape=inner_shape),
        cost=cost, constant=cost.new_zeros(count), gold=gold, gold_mask=gold_mask,
    )


def variable_inputs(parser, problems, pools) -> tuple[PartInputs, Tensor]:
    """The variable parts that the pools use -> inputs with shape [parts], and which part each list has, [B, K]."""
    asked: dict[tuple[int, tuple[int, ...]], int] = {}
    for b, pool in enumerate(pools):
        for choice in pool:
            asked.setdefault((b, choice.quantities), len(asked))
    inputs = parser.variable.batch([VariableProblem(problems[b].mentions, q) for b, q in asked]).inputs.to("cpu")
    numbers = [{s: n for n, s in enumerate(structures(p.mentions))} for p in problems]
    flat = torch.tensor([
        [asked[b, c.quantities] * inputs.shape[1] + numbers[b][c.phrases] for c in pool] for b, pool in enumerate(pools)
    ])
    used, number = flat.unique(return_inverse=True)
    return shared(keep_parts(inputs, used), parser.variable.labels), number


def tree_inputs(parser, problems, pools) -> tuple[PartInputs, Tensor, tuple[int, ...], Tensor]:
    """The nodes of all lists in columns: inputs [B * K, F], leaves of each list, the chart's shape, its columns."""
    leaves = [
        TreeProblem(p.mentions, trigger_list(p.mentions, c.quantities, c.uses))
        for p, pool in zip(problems, pools, strict=True) for c in pool
    ]
    batch = parser.tree.batch(leaves)
    shape = batch.inputs.shape[1:]
    n, labels = shape[0], shape[-1]
    i, k, j = np.meshgrid(*[np.arange(n)] * 3, indexing="ij")
    columns = torch.from_numpy(np.flatnonzero(np.repeat(((i <= k) & (k < j)).ravel(), labels)))
    place = torch.zeros(math.prod(shape), dtype=torch.int64)
    place[columns] = torch.arange(len(columns))
    inputs = batch.inputs.to("cpu")
    part = inputs.part
    part = part // math.prod(shape) * len(columns) + place[part % math.prod(shape)]
    inputs = replace(inputs, part=part, shape=(len(leaves), len(columns)))
    return shared(inputs, labels), batch.space.lengths, tuple(shape), columns


def losses(problems, pools, columns: Tensor, shape: tuple[int, ...]) -> tuple[Tensor, Tensor, Tensor]:
    """cost [B, K, 1 + F], gold [B, G, K, 1 + F] and its mask.

    The loss is the sum of the stages': quantities decided wrongly, 1 for other phrases than gold, and the nodes that
    are in no gold tree over this trigger list.
    """
    width = len(columns)
    place = {int(c): 1 + at for at, c in enumerate(columns.tolist())}
    most = max(sum(map(len, p.trees.values())) for p in problems)
    cost = torch.ones(len(problems), len(pools[0]), 1 + width)
    gold = torch.zeros(len(problems), most, len(pools[0]), 1 + width)
    mask = torch.zeros(len(problems), most, dtype=torch.bool)
    for b, (p, pool) in enumerate(zip(problems, pools, strict=True)):
        phrases = set(phrase_choices(p.gold))
        wrong = {c.quantities: min(len(set(c.quantities) ^ set(q)) for q in p.gold.quantities) for c in pool}
        cost[b, :, 0] = torch.tensor([wrong[c.quantities] + (c.phrases not in phrases) for c in pool])
        number, rank = {c: k for k, c in reversed(list(enumerate(pool)))}, 0
        for choice, trees in p.trees.items():
            k = number[choice]
            for tree in trees:
                parts = [place[int(c)] for c in np.ravel_multi_index(np.array(tree).T, shape)]
                gold[b, rank, k, [0, *parts]] = 1
                cost[b, k, parts] = 0
                mask[b, rank] = True
                rank += 1
    return cost, gold, mask


def keep_parts(inputs: PartInputs, parts: Tensor) -> PartInputs:
    """Only these parts (flat, ascending), numbered 0.., and only the rows that they use."""
    place = torch.full((math.prod(inputs.shape),), -1, dtype=torch.int64)
    place[parts] = torch.arange(len(parts))
    part = place[inputs.part]
    kept = part >= 0
    return replace(inputs, entry=inputs.entry[kept], part=part[kept], shape=(len(parts),))


def shared(inputs: PartInputs, labels: int) -> PartInputs:
    """The same scores from fewer rows: unused rows dropped, rows with the same features made one."""
    used = torch.zeros(inputs.rows, dtype=torch.bool)
    used[inputs.entry // labels] = True
    # a row's signature is the sum of its features' 64-bit hashes, the finaliser of SplitMix64
    mixed = inputs.bucket.numpy().astype(np.uint64) + MULTIPLIER
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    signature = torch.zeros(inputs.rows, dtype=torch.int64)
    signature.index_add_(0, inputs.row, torch.from_numpy(mixed.view(np.int64)))
    rows = used.nonzero().flatten()
    unique, group = signature[rows].unique(return_inverse=True)
    chosen = torch.empty(len(unique), dtype=torch.int64)
    chosen[group.flip(0)] = rows.flip(0)  # the first row of each group
    number = torch.full((inputs.rows,), -1, dtype=torch.int64)
    number[chosen] = torch.arange(len(chosen))
    row = number[inputs.row]
    kept = row >= 0
    renamed = torch.zeros(inputs.rows, dtype=torch.int64)
    renamed[rows] = group
    entry = renamed[inputs.entry // labels] * labels + inputs.entry % labels
    return replace(inputs, bucket=inputs.bucket[kept], row=row[kept], rows=len(chosen), entry=entry)
