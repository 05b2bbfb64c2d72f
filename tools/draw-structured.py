#!/usr/bin/env python3
"""Draws docs/structured.svg: the control-flow graph of a shader beside its structured form.

Usage: tools/draw-structured.py [SHADER [SVG]]

Calls `dxil-dis --cfg=dot` and Graphviz' `dot`. Only the names of blocks are kept of the code.
"""
import re
import subprocess
import sys

SHADER = sys.argv[1] if len(sys.argv) > 1 else "hwtests/shaders/flow/break_continue.dxil"
TARGET = sys.argv[2] if len(sys.argv) > 2 else "docs/structured.svg"
TITLES = ["control flow of the DXIL", "constructs of the SPIR-V"]
STYLE = """<style>
text { font: 13px ui-monospace, monospace; fill: #1b1f24 }
.title { font: 600 15px system-ui, sans-serif }
polygon, path { fill: none; stroke: #57606a }
.edge polygon { fill: #57606a }
.back path, .back polygon { stroke: #1f6feb } .back polygon { fill: #1f6feb }
.merge path { stroke-dasharray: 4 3; stroke: #9a6700 } .merge polygon { fill: #9a6700; stroke: #9a6700 }
.continue path { stroke-dasharray: 1 3; stroke: #1f6feb } .continue polygon { fill: #1f6feb; stroke: #1f6feb }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } polygon, path { stroke: #8b949e }
  .edge polygon { fill: #8b949e } }
</style>"""


def graphs(text):
    """Splits the output into its graphs, without code and colours."""
    for graph in re.split(r"(?m)^(?=digraph)", text)[1:]:
        graph = re.sub(r'label="(b\d+):[^"\\]*(?:\\.[^"\\]*)*"', r'label="\1"', graph)
        graph = re.sub(r'\[ label = "\d+: ([^"]*)" \]', r'[ label = "\1" ]', graph)
        graph = re.sub(r'label="@[^"]*";', "", graph)
        graph = re.sub(r'label="!?%\d+"(, )?', "", graph)
        graph = re.sub(r'label="[TF]"', "", graph)
        graph = graph.replace("color=blue]", 'class="back"]') if "class=" not in graph else graph
        graph = graph.replace('style=dotted, class="back"', 'class="continue"')
        graph = graph.replace("style=dashed, color=gray", 'class="merge"')
        yield graph


def svg(graph):
    """Returns width, height and the drawing of a graph."""
    options = ["-Gbgcolor=transparent", "-Nwidth=.5", "-Nheight=.3", "-Gnodesep=.35", "-Granksep=.3"]
    drawn = subprocess.run(
        ["dot", "-Tsvg", *options], input=graph, text=True, capture_output=True, check=True
    ).stdout
    size = re.search(r'viewBox="0.00 0.00 ([\d.]+) ([\d.]+)"', drawn)
    body = re.search(r"(?s)<g id=\"graph0\".*</g>", drawn).group(0)
    body = re.sub(r"(?s)<title>.*?</title>|<!--.*?-->", "", body)
    body = re.sub(r' (fill|stroke|font-family|font-size|id|stroke-dasharray)="[^"]*"', "", body)
    return float(size.group(1)), float(size.group(2)), re.sub(r"\n+", "\n", body)


def main():
    output = subprocess.run(
        ["dxil-dis", "--cfg=dot", SHADER], text=True, capture_output=True, check=True
    ).stdout
    parts = [svg(graph) for graph in graphs(output)]
    gap, top = 90, 34
    width = sum(part[0] for part in parts) + gap * (len(parts) + 1)
    height = max(part[1] for part in parts) + top + 40
    text = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
    text += f'role="img" aria-label="{" beside the ".join(TITLES)}">\n{STYLE}\n'
    x = gap
    for (wide, _, body), title in zip(parts, TITLES):
        text += f'<text class="title" text-anchor="middle" x="{x + wide / 2:.0f}" y="20">{title}</text>\n'
        text += f'<g transform="translate({x:.0f} {top})">{body}</g>\n'
        x += wide + gap
    keys = [("back", "back edge"), ("merge", "to the merge block"), ("continue", "to the continue block")]
    for number, (key, words) in enumerate(keys):
        left = gap + number * 200
        text += f'<g class="{key}"><path d="M{left} {height - 16:.0f}h28"/></g>'
        text += f'<text x="{left + 34}" y="{height - 12:.0f}">{words}</text>\n'
    with open(TARGET, "w", encoding="utf-8") as file:
        file.write(text + "</svg>\n")


if __name__ == "__main__":
    main()
