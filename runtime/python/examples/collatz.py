"""Runs a shader on a range of numbers and plots what it computes.

    python collatz.py [--backend vulkan|cpu] [--out FILE.png]

The shader counts, for each number, the steps of the Collatz sequence down to 1 and finds the
largest number on the way (hwtests/shaders/flow/collatz.hlsl).
"""

# %% Read the shader, and see what it declares.
import argparse
import pathlib

import matplotlib.pyplot as plt
import numpy as np

import dxil_jit

parser = argparse.ArgumentParser()
parser.add_argument("--backend", default="auto")
parser.add_argument("--out", default="collatz.png")
arguments = parser.parse_args()

root = pathlib.Path(__file__).resolve().parents[3]
shader = dxil_jit.Shader.from_file(root / "hwtests/shaders/flow/collatz.dxil")
for resource in shader.reflect().resources:
    print(f"{resource.register}: {resource.kind} {resource.name}, elements of {resource.dtype}")

# %% Run it: 64 threads in a group, one number for each thread.
numbers = np.arange(1, 4097, dtype=np.uint32)
device = dxil_jit.Device(arguments.backend)
results = device.run(shader, len(numbers) // 64, {"t0": numbers, "u0": len(numbers)})
steps, largest = results["u0"].T
print(f"{device!r}: {numbers[steps.argmax()]} takes most steps, {steps.max()}")

# %% Plot the results.
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
left.scatter(numbers, steps, s=1)
left.set(xlabel="number", ylabel="steps to 1")
right.scatter(numbers, largest, s=1)
right.set(xlabel="number", ylabel="largest number on the way", yscale="log")
figure.tight_layout()
figure.savefig(arguments.out, dpi=100)
print(f"wrote {arguments.out}")
