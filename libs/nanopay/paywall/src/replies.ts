interface Waiting<T> {
  resolve(reply: T): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

/** Pending replies by request id. Late replies are dropped. */
export class Replies<K, T> {
  private readonly waiting = new Map<K, Waiting<T>>();

  /** @param timeoutMs the promise rejects after this time */
  wait(name: K, timeoutMs: number): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const timer = setTimeout(
        () => this.fail(name, new Error('The payment ledger has not answered in time.')),
        timeoutMs,
      );
      this.waiting.set(name, { resolve, reject, timer });
    });
  }

  settle(name: K, reply: T): void {
    this.take(name)?.resolve(reply);
  }

  fail(name: K, error: Error): void {
    this.take(name)?.reject(error);
  }

  failAll(error: Error): void {
    for (const name of [...this.waiting.keys()]) this.fail(name, error);
  }

  private take(name: K): Waiting<T> | undefined {
    const waiting = this.waiting.get(name);
    if (waiting) clearTimeout(waiting.timer);
    this.waiting.delete(name);
    return waiting;
  }
}
