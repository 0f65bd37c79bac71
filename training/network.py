"""Trains the network of the boxes and writes it as ONNX: `python -m training.network DIGITS.npz OUT.onnx`.

Five small convolutions and two layers, about 90,000 weights. Needs the packages of requirements/reader.txt.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from games.reading.boxes import CLASSES, HEIGHT, WIDTH, normalised
from training.ink import crop
from training.split import Array, Digits, load, split

CONVOLUTIONS = (
    (1, 12, 1, 1),
    (12, 20, 2, 1),
    (20, 36, 1, 1),
    (36, 48, 1, 1),
    (48, 64, 1, 0),
)  # in, out, stride, pad
POOLED = (2, 3)  # the convolutions behind which the picture is halved
HIDDEN, FLAT = 96, 64 * 3 * 2
BATCH, POOL, CHECKED = 128, 36_000, 4_000
SMOOTHING, DECAY, FASTEST = 0.02, 1e-3, 3e-3
Weights = dict[str, Any]


def fresh(seed: int) -> Weights:
    chance = np.random.default_rng(seed)
    weights: Weights = {}
    for n, (ins, outs, _, _) in enumerate(CONVOLUTIONS):
        weights[f"c{n}"] = chance.normal(0, (2 / (9 * ins)) ** 0.5, (outs, ins, 3, 3)).astype(np.float32)
        weights[f"g{n}"], weights[f"b{n}"] = np.ones(outs, np.float32), np.zeros(outs, np.float32)
    for name, ins, outs in (("h", FLAT, HIDDEN), ("o", HIDDEN, CLASSES)):
        weights[f"w{name}"] = chance.normal(0, (2 / ins) ** 0.5, (outs, ins)).astype(np.float32)
        weights[f"v{name}"] = np.zeros(outs, np.float32)
    return weights


def forward(weights: Weights, seen: Any, means: Any = None, dropped: Any = None) -> tuple[Any, Any]:
    """The logits, and the mean and variance of each channel. With `means` those are used in place of the batch's own."""
    found = []
    for n, (_, _, stride, pad) in enumerate(CONVOLUTIONS):
        seen = jax.lax.conv_general_dilated(seen, weights[f"c{n}"], (stride, stride), [(pad, pad)] * 2)
        mean, spread = (seen.mean((0, 2, 3)), seen.var((0, 2, 3))) if means is None else means[n]
        found.append((mean, spread))
        scale = weights[f"g{n}"] / jnp.sqrt(spread + 1e-5)
        seen = seen * scale[:, None, None] + (weights[f"b{n}"] - mean * scale)[:, None, None]
        seen = jax.nn.relu(seen)
        if n in POOLED:
            seen = jax.lax.reduce_window(seen, -jnp.inf, jax.lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")
    flat = seen.reshape(len(seen), -1)
    flat = flat if dropped is None else flat * dropped
    hidden = jax.nn.relu(flat @ weights["wh"].T + weights["vh"])
    return hidden @ weights["wo"].T + weights["vo"], found


def loss(weights: Weights, seen: Any, labels: Any, dropped: Any) -> tuple[Any, Any]:
    logits, means = forward(weights, seen, None, dropped)
    wanted = jax.nn.one_hot(labels, CLASSES) * (1 - SMOOTHING) + SMOOTHING / CLASSES
    return -(wanted * jax.nn.log_softmax(logits)).sum(1).mean(), means


@jax.jit
def step(weights: Weights, state: Any, seen: Any, labels: Any, dropped: Any, rate: Any, count: Any) -> Any:
    """One step of AdamW."""
    (cost, means), slope = jax.value_and_grad(loss, has_aux=True)(weights, seen, labels, dropped)
    first = {k: 0.9 * state[0][k] + 0.1 * slope[k] for k in weights}
    second = {k: 0.999 * state[1][k] + 0.001 * slope[k] ** 2 for k in weights}
    for k in weights:
        move = first[k] / (1 - 0.9**count) / (jnp.sqrt(second[k] / (1 - 0.999**count)) + 1e-8)
        weights = weights | {k: weights[k] - rate * (move + DECAY * weights[k])}
    return weights, (first, second), means, cost


def crops(digits: Digits, count: int, chance: np.random.Generator) -> tuple[Array, Array]:
    by_label = digits.by_label()
    labels = chance.integers(0, CLASSES, count)
    return np.stack([crop(digits, by_label, int(label), chance) for label in labels]), labels


def train(digits: Digits, checked: Digits, steps: int, seed: int = 1) -> tuple[Weights, list[Any]]:
    """The weights and the channels' running means, best at the end of a rate that rises for a third and falls."""
    chance, began = np.random.default_rng(seed), time.monotonic()
    pool, labels = crops(digits, POOL, chance)
    tried, right = crops(checked, CHECKED, np.random.default_rng(5))
    print("crops made in", round(time.monotonic() - began), "s", flush=True)
    weights: Weights = {k: jnp.asarray(v) for k, v in fresh(seed).items()}
    zeros = {k: jnp.zeros_like(v) for k, v in weights.items()}
    state, running = (zeros, zeros), None
    look = jax.jit(partial(forward))
    for count in range(1, steps + 1):
        chosen = chance.integers(0, POOL, BATCH)
        shifted = np.roll(pool[chosen], tuple(chance.integers(-1, 2, 2)), (1, 2))
        seen = normalised(shifted) * chance.uniform(0.85, 1.15, (BATCH, 1, 1, 1)).astype(np.float32)
        dropped = (chance.random((BATCH, FLAT)) > 0.2).astype(np.float32) / 0.8
        weights, state, means, cost = step(
            weights, state, seen, labels[chosen], dropped, _rate(count / steps), float(count)
        )
        running = means if running is None else _mixed(running, means)
        if count % 200 == 0 or count == steps:
            logits = np.concatenate([np.asarray(look(weights, normalised(tried[i : i + 500]), running)[0])
                                     for i in range(0, CHECKED, 500)])  # fmt: skip
            share = (logits.argmax(1) == right).mean()
            print(count, round(time.monotonic() - began), "s, loss", round(float(cost), 3), "right", round(float(share), 4), flush=True)  # fmt: skip
    assert running is not None
    return weights, running


def _mixed(running: Any, means: Any) -> Any:
    return [(0.95 * a + 0.05 * m, 0.95 * b + 0.05 * v) for (a, b), (m, v) in zip(running, means, strict=True)]


def _rate(done: float) -> float:
    if done < 0.3:
        return FASTEST * (0.04 + 0.96 * (1 - np.cos(np.pi * done / 0.3)) / 2)
    return float(FASTEST * (1e-4 + (1 + np.cos(np.pi * (done - 0.3) / 0.7)) / 2))


def to_onnx(weights: Weights, means: list[Any]) -> bytes:
    """The network with the channels' means folded into its convolutions."""
    nodes, kept, name = [], [], "x"

    def keep(label: str, value: Any) -> str:
        kept.append(numpy_helper.from_array(np.asarray(value, np.float32), label))
        return label

    def add(kind: str, inputs: list[str], **settings: Any) -> str:
        output = f"t{len(nodes)}"
        nodes.append(helper.make_node(kind, inputs, [output], **settings))
        return output

    for n, (_, _, stride, pad) in enumerate(CONVOLUTIONS):
        mean, spread = (np.asarray(value) for value in means[n])
        scale = np.asarray(weights[f"g{n}"]) / np.sqrt(spread + 1e-5)
        inputs = [name, keep(f"c{n}", np.asarray(weights[f"c{n}"]) * scale[:, None, None, None]),
                  keep(f"b{n}", np.asarray(weights[f"b{n}"]) - mean * scale)]  # fmt: skip
        name = add("Conv", inputs, kernel_shape=[3, 3], strides=[stride] * 2, pads=[pad] * 4)
        name = add("Relu", [name])
        if n in POOLED:
            name = add("MaxPool", [name], kernel_shape=[2, 2], strides=[2, 2])
    name = add("Flatten", [name], axis=1)
    name = add("Gemm", [name, keep("wh", weights["wh"]), keep("vh", weights["vh"])], transB=1)
    name = add("Relu", [name])
    name = add("Gemm", [name, keep("wo", weights["wo"]), keep("vo", weights["vo"])], transB=1)
    graph = helper.make_graph(
        nodes, "boxes",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 1, HEIGHT, WIDTH])],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", CLASSES])], kept,
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("digits", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, default=1800)
    given = parser.parse_args()
    groups = split(load(given.digits))
    weights, means = train(groups.train, groups.temperature, given.steps)
    given.out.write_bytes(to_onnx(weights, means))
    print(given.out, given.out.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
