// The course of a debugging session. The module keeps nothing: each question says where the wave has
// stopped, and the answer is its next stop.

import { executor } from './session.js';

/** Seconds that a step may take. */
const SECONDS = 60;

/** A shader in the debugger. */
export class Debugging {
  /** The last stop; null before the first one. */
  stop = null;
  /** Files with code. */
  files = [];
  hasSource = true;
  /** Breakpoints as the reader asks for them: `place` and `file`, or `data`; `condition`, `log`. What the
   * module says of each is in `placed`. */
  points = [];
  watches = [];
  /** What breakpoints have said. */
  output = [];
  lanes = '$thread';
  group = [0, 0, 0];
  /** The thread that alone stops; null if any lane of the first wave does. */
  thread = null;
  check = false;
  /** The first element that is shown of a resource, by its name. */
  parts = {};
  frame = 0;
  #edits = [];

  constructor(session, dispatch) {
    this.session = session;
    this.dispatch = dispatch;
  }

  /** Begins the wave anew. */
  async start() {
    [this.stop, this.output, this.#edits, this.frame] = [null, [], [], 0];
    await this.#ask({ go: 'look', files: true });
  }

  /** Lets the wave go on, or back. */
  async go(how) {
    this.frame = 0;
    await this.#ask({ go: how });
  }

  /** Goes back to the instruction that wrote what an expression names. */
  async who(expression) {
    await this.look({ watches: [...this.watches, expression] });
    const problem = this.stop.watches?.at(-1)?.problem;
    if (problem) throw new Error(problem);
    const { data } = this.stop.frames[this.frame] ?? { data: '' };
    this.frame = 0;
    await this.#ask({ go: 'who', data: `${expression}${data}` });
  }

  /** Looks at the same stop again: with other expressions, in another lane or call. */
  async look(more = {}) {
    await this.#ask({ go: 'look', ...more });
  }

  /** Changes a variable. */
  async set(target, value) {
    await this.look({ set: { target, value, frame: this.frame } });
    const { edit } = this.stop;
    if (edit?.problem) throw new Error(edit.problem);
    if (edit) this.#edits.push(edit);
  }

  /** Adds a breakpoint at a line, or removes the one that is there. */
  async toggle(file, line) {
    const index = this.points.findIndex(point => point.placed?.file === file && point.placed?.line === line);
    if (index >= 0) this.points.splice(index, 1);
    else this.points.push({ place: String(line), file });
    await this.look();
  }

  /** Returns the lines of a file that have breakpoints. */
  linesWithPoints(file) {
    return new Set(this.points.map(({ placed }) => placed).filter(placed => placed?.file === file)
      .map(placed => placed.line));
  }

  async #ask(more) {
    const [head, payloads] = await this.dispatch.question('debug');
    const { stop } = this;
    // What was changed later was changed in a course of the wave that is no more.
    if (stop && !stop.ended) this.#edits = this.#edits.filter(edit => edit.time <= stop.time);
    const at = stop && { time: stop.time, lane: stop.lane, findings: stop.findings, ended: stop.ended === true };
    const { group, thread, check, points, watches, lanes, parts, frame } = this;
    const question = { ...head, at, group, thread, check, breakpoints: points, edits: this.#edits, watches, lanes,
      parts, frame, ...more };
    const { head: answer } = await this.session.askWith(executor, question, payloads, SECONDS);
    if (answer.files) [this.files, this.hasSource] = [answer.files, answer.has_source];
    this.output.push(...answer.output);
    answer.breakpoints.forEach((placed, index) => { points[index].placed = placed; });
    this.stop = answer.stop.ended && stop ? { lane: stop.lane, findings: stop.findings, ...answer.stop } : answer.stop;
  }
}
