/** Runs a limited number of jobs at a time. The others wait in order. */
export class ConcurrencyLimit {
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  constructor(private readonly limit: number) {}

  async run<T>(job: () => Promise<T>): Promise<T> {
    if (this.running >= this.limit) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running++;
    try {
      return await job();
    } finally {
      // The slot passes directly to the next job, so no other job can take it in between.
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}
