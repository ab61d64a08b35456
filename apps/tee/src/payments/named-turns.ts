/** Jobs of one name run one after the other, those of different names at once. */
export class NamedTurns {
  private readonly last = new Map<string, Promise<unknown>>();

  take<T>(name: string, job: () => Promise<T>): Promise<T> {
    const before = this.last.get(name);
    const done = before ? before.then(job, job) : job();
    const forget = (): void => {
      if (this.last.get(name) === done) this.last.delete(name);
    };
    this.last.set(name, done);
    done.then(forget, forget);
    return done;
  }
}
