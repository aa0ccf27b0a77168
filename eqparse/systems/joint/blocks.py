"""A block of the joint system's training set: features, output space, losses and gold structures of the pools."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from eqparse.parser.pipeline import EquationParser
from eqparse.scoring.part_inputs import PartInputs
from eqparse.stages.tree import MAX_LEAVES, TreeProblem
from eqparse.stages.variable import VariableProblem, structures
from eqparse.structured.spaces.cky import BinaryTrees
from eqparse.structured.spaces.one_then import OneThen
from eqparse.structured.svm.block import Block
from eqparse.systems.joint.scorer import JointInputs, keep_parts, shared
from eqparse.text.mentions import Mentions
from eqparse.text.triggers import TriggerChoice
from eqparse.training.gold import Gold


@dataclass(frozen=True)
class Problem:
    """A training sentence with its gold sets and, for each gold trigger list, the gold trees over it."""

    mentions: Mentions
    gold: Gold
    trees: dict[TriggerChoice, tuple]


def joint_block(parser: EquationParser, problems: Sequence[Problem], pools: Sequence[Sequence[TriggerChoice]]) -> Block:
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
        space=OneThen(inner, mask.to(device), columns=columns.to(device)),
        cost=cost, constant=cost.new_zeros(count), gold=gold, gold_mask=gold_mask,
    )


def variable_inputs(parser, problems, pools) -> tuple[PartInputs, Tensor]:
    """Inputs for the variable parts that the pools use, with shape [parts], and the part of each list, [B, K]."""
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
    """The tree nodes of all lists: inputs [B * K, F], leaves of each list, the chart's shape, the chart's F columns."""
    leaves = [
        TreeProblem(p.mentions, c.triggers(p.mentions))
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
    """The cost [B, K, 1 + F], the gold structures [B, G, K, 1 + F] and their mask.

    The loss is the sum of the stages' losses: the number of wrong decisions on quantities, 1 if the phrases are not
    gold, and the number of nodes that are in no gold tree over the trigger list.
    """
    width = len(columns)
    place = {int(c): 1 + at for at, c in enumerate(columns.tolist())}
    most = max(sum(map(len, p.trees.values())) for p in problems)
    cost = torch.ones(len(problems), len(pools[0]), 1 + width)
    gold = torch.zeros(len(problems), most, len(pools[0]), 1 + width)
    mask = torch.zeros(len(problems), most, dtype=torch.bool)
    for b, (p, pool) in enumerate(zip(problems, pools, strict=True)):
        phrases = set(p.gold.phrases)
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
