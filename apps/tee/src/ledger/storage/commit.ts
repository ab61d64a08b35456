/** A commit that callers wait for. */
export interface Commit {
  promise: Promise<void>;
  /** The time of its first decision, by `performance.now()`. */
  startedMs: number;
  resolve(): void;
  reject(error: Error): void;
}

export function newCommit(): Commit {
  let [resolve, reject]: [() => void, (error: Error) => void] = [() => undefined, () => undefined];
  const promise = new Promise<void>((done, failed) => ([resolve, reject] = [done, failed]));
  return { promise, startedMs: performance.now(), resolve, reject };
}
