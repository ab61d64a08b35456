/** Lets a bounded number of jobs run at the same time, the others wait for their turn in order. */
export class Turns {
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  constructor(private readonly limit: number) {}

  async take<T>(job: () => Promise<T>): Promise<T> {
    if (this.running >= this.limit) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running++;
    try {
      return await job();
    } finally {
      // The turn is handed on, not given back: nobody can come between.
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}
