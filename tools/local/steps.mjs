import { isatty } from 'node:tty';

const tick = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const titleWidth = 56;
// If the output is not a terminal, lines are rare enough for a log.
const progressMs = 10_000;

/** @param {number} ms */
export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/**
 * Shows work step by step. A terminal shows a live line with the oldest running step. Other outputs get one line when a
 * step is done, and one line every ten seconds before.
 */
export class Steps {
  constructor(output = process.stdout) {
    this.output = output;
    this.isLive = 'fd' in output && isatty(output.fd) && process.env.TERM !== 'dumb';
    this.hasColour = this.isLive && !process.env.NO_COLOR;
    /**
     * Running steps, in the order of their start.
     * @type {{ title: string, note: string, startedMs: number }[]}
     */
    this.running = [];
    this.frame = 0;
  }

  /**
   * @template T
   * @param {string} title
   * @param {(note: (text: string) => void) => T | Promise<T>} work `note` sets the progress or the result of the step
   * @returns {Promise<T>}
   */
  async run(title, work) {
    const step = { title, note: '', startedMs: performance.now() };
    this.running.push(step);
    const timer = this.isLive
      ? setInterval(() => this.draw(), 80)
      : setInterval(() => this.output.write(`  … ${this.line(step)}\n`), progressMs);
    this.draw();
    try {
      const result = await work((text) => (step.note = text));
      this.finish(step, this.paint('32', '✔'));
      return result;
    } catch (error) {
      this.finish(step, this.paint('31', '✘'));
      throw error;
    } finally {
      clearInterval(timer);
    }
  }

  /** Prints lines without disturbing the live line. @param {string} text */
  print(text) {
    this.erase();
    this.output.write(`${text}\n`);
    this.draw();
  }

  /** @param {string} code @param {string} text */
  paint(code, text) {
    return this.hasColour ? `\x1b[${code}m${text}\x1b[0m` : text;
  }

  /** @param {{ title: string, note: string, startedMs: number }} step @param {string} mark */
  finish(step, mark) {
    this.erase();
    this.running = this.running.filter((it) => it !== step);
    this.output.write(`  ${mark} ${this.line(step)}\n`);
    this.draw();
  }

  /** @param {{ title: string, note: string, startedMs: number }} step */
  line({ title, note, startedMs }) {
    const text = note ? `${title}: ${note}` : title;
    return `${text.padEnd(titleWidth)} ${seconds(performance.now() - startedMs).padStart(8)}`;
  }

  draw() {
    const [oldest] = this.running;
    if (!this.isLive || !oldest) return;
    const width = (process.stdout.columns || 80) - 1;
    const line = `  ${tick[this.frame++ % tick.length]} ${this.line(oldest)}`;
    this.output.write(`\r\x1b[2K${line.slice(0, width)}`);
  }

  erase() {
    if (this.isLive && this.running.length > 0) this.output.write('\r\x1b[2K');
  }
}
