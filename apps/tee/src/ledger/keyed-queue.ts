/** Runs jobs of the same key one after the other, and jobs of different keys concurrently. */
export class KeyedQueue {
  private readonly last = new Map<string, Promise<unknown>>();

  run<T>(key: string, job: () => Promise<T>): Promise<T> {
    const before = this.last.get(key);
    const done = before ? before.then(job, job) : job();
    const remove = (): void => {
      if (this.last.get(key) === done) this.last.delete(key);
    };
    this.last.set(key, done);
    done.then(remove, remove);
    return done;
  }
}
