/** A repeatable source of choices: the same seed generates the same requests (mulberry32). */
export class Random {
  constructor(private state: number) {}

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  integer(below: number): number {
    return Math.floor(this.next() * below);
  }

  isChosen(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.integer(values.length)]!;
  }

  text(length: number, letters = 'abcdefghijkmnpqrstuvwxyz23456789'): string {
    return Array.from({ length }, () => letters[this.integer(letters.length)]).join('');
  }
}
