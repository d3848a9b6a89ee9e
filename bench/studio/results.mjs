// What was measured, as a table with its targets.

/** The number below which a share of `numbers` lies. */
const quantile = (numbers, share) => {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
};
export const median = (numbers) => quantile(numbers, 0.5);
export const p99 = (numbers) => quantile(numbers, 0.99);

const cell = (value, width) => String(value).padStart(width);
const whole = (value) => (value === undefined || Number.isNaN(value) ? '' : value.toFixed(0));

export class Results {
  #missed = [];

  section(title) {
    console.log(`\n${title}`);
  }

  note(text) {
    console.log(`  ${text}`);
  }

  #line(name, cells, target, missed) {
    const verdict = target === undefined ? '' : missed ? `  MISSED (${target})` : `  ok (${target})`;
    console.log(`  ${name.padEnd(46)}${cells}${verdict}`);
    if (missed) this.#missed.push(name);
  }

  /** Milliseconds until the page shows something, and of these the server's; the median counts. */
  time(name, { page, server = [], most }) {
    const cells = `${cell(whole(median(page)), 6)} ms  worst ${cell(whole(Math.max(...page)), 5)}${server.length ? `  server ${cell(whole(median(server)), 5)}` : '              '}`;
    this.#line(name, cells, most && `< ${most} ms`, median(page) >= most);
  }

  /** How long requests of one kind took under load. */
  tail(name, times) {
    this.#line(name, `${cell(times.length, 7)} requests  p50 ${cell(whole(median(times)), 5)}  p99 ${cell(whole(p99(times)), 5)}  worst ${cell(whole(Math.max(0, quantile(times, 1))), 5)} ms`);
  }

  amount(name, value, unit, most) {
    this.#line(name, `${cell(whole(value), 7)} ${unit}`, most === undefined ? undefined : `at most ${whole(most)}`, value > most);
  }

  /** The exit code. */
  end() {
    console.log(this.#missed.length ? `\nMissed: ${this.#missed.join('; ')}` : '\nAll targets are met.');
    return this.#missed.length ? 1 : 0;
  }
}
