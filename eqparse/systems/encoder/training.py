"""Trains all stages of a parser end to end through one encoder, each on gold choices for the earlier stages."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from time import perf_counter
from typing import Any

import torch
from torch import Tensor, nn

from eqparse.corpus.example import Example
from eqparse.errors import DataError
from eqparse.parser.pipeline import EquationParser
from eqparse.scoring.encoder.base_model import check_layers, read_base
from eqparse.scoring.encoder.encoder import Tuned, remembering
from eqparse.scoring.encoder.precision import Precision, find_precision
from eqparse.stages.base import Stage, Task
from eqparse.structured.likelihood import negative_log_likelihood
from eqparse.structured.spaces.output_space import gold_argmax
from eqparse.structured.svm.hinge import structured_hinge
from eqparse.systems.encoder.attach import EncoderOptions, attach_encoder, finish, trained_tensors
from eqparse.systems.encoder.further import start_from, trained_before
from eqparse.systems.encoder.lessons import Lesson, batches, find_lessons
from eqparse.systems.encoder.team import Team, check_processes, work_in_team
from eqparse.text.mentions import Mentions
from eqparse.training.options import Phrases, StageOptions
from eqparse.training.train import Progress, Training, build_parser, train_parser

REPORT = 20  # steps between two entries of the progress


class Loss(StrEnum):
    """Negative log-likelihood of the gold structures, or structured hinge loss with margin rescaling."""

    likelihood = "likelihood"
    hinge = "hinge"


class Hashed(StrEnum):
    """The hashed features: left out; trained by themselves and added to the encoder's scores; trained with these; or
    trained by themselves first, and from those weights on with the encoder.
    """

    none = "none"
    added = "added"
    joint = "joint"
    started = "started"


def train_encoder(
    examples: Sequence[Example],
    mentions: Sequence[Mentions],
    *,
    features: Mapping[str, Collection[str]],
    options: StageOptions,
    phrases: Phrases,
    base: str = EncoderOptions.base,
    depth: int | None = EncoderOptions.depth,
    tuned: Tuned = EncoderOptions.tuned,
    rank: int = EncoderOptions.rank,
    layers: int = EncoderOptions.layers,
    marked: bool = EncoderOptions.marked,
    hashed: Hashed = Hashed.added,
    hashed_weight: float = EncoderOptions.hashed_weight,
    loss: Loss = Loss.likelihood,
    epochs: int = 6,
    batch_size: int = 16,
    learning_rate: float = 1e-3,
    head_learning_rate: float = 1e-3,
    precision: Precision = Precision.float32,
    processes: int = 1,
    start: str | None = None,
    auxiliary: Collection[str] = (),
    seed: int = 0,
    device: torch.device | str = "cpu",
    progress: Progress | None = None,
    **svm: Any,
) -> Training:
    """Train the stages' heads and what is tuned of the encoder by AdamW, with warm-up and linear decay.

    The loss of a batch is the sum of the stages' losses over its sentences, divided by their number.

    base, depth, tuned, rank, layers, marked, hashed_weight: see `EncoderOptions`.
    hashed: what becomes of the hashed features.
    loss: of each stage.
    epochs: passes over the sentences.
    batch_size: sentences in a step; they are of similar length.
    learning_rate, head_learning_rate: the greatest rate of the encoder, and of everything else.
    precision: in which the encoder multiplies meanwhile; its weights are in single precision all the time.
    processes: in which the encoder is trained side by side, each on its share of every batch; for processors, not GPUs.
    start: a checkpoint, whose encoder and heads are trained further; by default the base model and new heads are.
    svm: the options of `train_parser` that only the training of the hashed features has.

    Raises DataError if there is no example to learn from, ConfigError for an encoder, a precision or processes that
    cannot be had, CheckpointError if the checkpoint to start from cannot be used or has another encoder or stages.
    """
    # what is wrong is refused before minutes are spent on the hashed features
    check_processes(processes, torch.device(device))
    model = read_base(base, depth=depth)
    if tuned == Tuned.top:
        check_layers(model, layers)
    before = None
    if start is not None:
        before = trained_before(start, base=base, depth=depth, tuned=tuned, rank=rank, layers=layers, marked=marked)
    precision = find_precision(precision, torch.device(device))
    common = {"features": features, "options": options}
    if hashed in (Hashed.added, Hashed.started):
        training = train_parser(
            examples, mentions, phrases=phrases, auxiliary=auxiliary, seed=seed, device=device, progress=progress,
            **common, **svm,
        )
        parser = training.parser
    else:
        parser = build_parser(**common)
        training = Training(parser)
    if progress is not None:
        progress("encoder", {})
    # before there is an encoder, which would have no say in the answers yet
    lessons = list(find_lessons(parser, examples, mentions, lambda id_: phrases == Phrases.first or id_ in auxiliary))
    if hashed == Hashed.joint:  # whose hashed features would only learn to tell an untrained parser's answers
        lessons = [lesson.unanswered() for lesson in lessons]
    torch.manual_seed(seed)
    scale = {Hashed.none: 0.0, Hashed.joint: 1.0}.get(hashed, hashed_weight)
    attach_encoder(
        parser,
        EncoderOptions(
            base=base, depth=depth, tuned=tuned, rank=rank, layers=layers, marked=marked, hashed_weight=scale
        ),
    )
    parser.encoder.in_bfloat16 = precision == Precision.bfloat16
    said = {lesson.tasks["refusal"].gold for lesson in lessons if "refusal" in lesson.tasks}
    if parser.refusal is not None and len(said) < 2:
        parser.refusal = None
    if before is not None:
        start_from(parser, before, start)
    parser.to(device).train()
    if not any("tree" in lesson.tasks for lesson in lessons):
        raise DataError(f"encoder: expected at least one sentence to learn from, found none among {len(examples)}")
    if hashed == Hashed.added:  # their weights are there; what the encoder learns is independent of them
        for stage in parser.stages.values():
            stage.hashed_weight = 0.0
    start = perf_counter()
    rates = {"encoder": learning_rate, "heads": head_learning_rate}

    def run(team: Team) -> float:
        return run_epochs(
            parser, lessons, rates, loss=Loss(loss), epochs=epochs, batch_size=batch_size, seed=seed,
            progress=progress if team.rank == 0 else None, team=team,
            weights=hashed in (Hashed.joint, Hashed.started),
        )

    last = work_in_team(run, size=processes, seed=seed)
    for stage in parser.stages.values():
        stage.hashed_weight = scale
    round_to_half(parser)
    finish(parser)
    training.report["encoder"] = {
        "problems": len(lessons), "objective": round(last, 4), "epochs": epochs,
        "seconds": round(perf_counter() - start, 3),
    }
    parser.eval()
    return training


def run_epochs(
    parser: EquationParser,
    lessons: Sequence[Lesson],
    rates: Mapping[str, float],
    *,
    loss: Loss,
    epochs: int,
    batch_size: int,
    seed: int,
    progress: Progress | None,
    weights: bool,
    team: Team,
) -> float:
    """Train, and return the mean loss of the last epoch, on this process's shares of the batches.

    weights: whether those of the hashed features are trained.
    team: the processes that train side by side.
    """
    order = random.Random(seed)
    encoder = list(parser.encoder.trained().values())
    heads = [p for stage in parser.stages.values() for p in (stage if weights else stage.head).parameters()]
    groups = [
        {"params": some, "lr": rate}
        for some, rate in ((heads, rates["heads"]), (encoder, rates["encoder"])) if some
    ]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    steps = epochs * -(-len(lessons) // batch_size)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / (0.1 * steps + 1), max(0.02, 1 - step / steps))
    )
    everything, mean, step = heads + encoder, 0.0, 0
    for epoch in range(epochs):
        total = 0.0
        for batch in batches(lessons, parser, batch_size, order):
            share, weight = team.share(batch)
            value = batch_loss(parser, share, loss) * weight
            optimizer.zero_grad()
            value.backward()
            team.average(everything)
            nn.utils.clip_grad_norm_(everything, 1.0)
            optimizer.step()
            schedule.step()
            total += float(value.detach()) * len(batch)
            step += 1
            if progress is not None and step % REPORT == 0:
                progress("encoder", {"epoch": epoch, "step": step, "steps": steps, "loss": float(value.detach())})
        mean = total / len(lessons)
        if progress is not None:
            progress("encoder", {"epoch": epoch + 1, "objective": mean})
    return mean


def batch_loss(parser: EquationParser, lessons: Sequence[Lesson], loss: Loss) -> Tensor:
    """[]: the mean over sentences of the sum of the stages' losses."""
    with remembering():
        parser.encoder([lesson.mentions.sentence for lesson in lessons])
        total = torch.zeros((), device=parser.encoder.device)
        for name, stage in parser.stages.items():
            tasks = [lesson.tasks[name] for lesson in lessons if name in lesson.tasks]
            if tasks:
                total = total + stage_loss(stage, tasks, loss)
        return total / len(lessons)


def stage_loss(stage: Stage, tasks: Sequence[Task], loss: Loss) -> Tensor:
    """The sum of a stage's losses on some tasks."""
    batch = stage.batch([task.problem for task in tasks])
    block = stage.block(tasks, batch.inputs, batch.space)
    scores = stage.scores(batch)
    if loss == Loss.likelihood:
        return negative_log_likelihood(scores, batch.space, block.gold, block.gold_mask).sum()
    positive = gold_argmax(scores, block.gold, block.gold_mask).parts
    return structured_hinge(scores, batch.space, block.cost, block.constant, positive).sum()


@torch.no_grad()
def round_to_half(parser: EquationParser) -> None:
    """Round what a checkpoint stores to half precision, so that saving changes no prediction."""
    for stage in parser.stages.values():
        stage.scorer.weight.copy_(stage.scorer.weight.half().float())
    for parameter in trained_tensors(parser).values():
        parameter.copy_(parameter.half().float())
