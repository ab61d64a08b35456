/** A clock that stands still until the test moves it. Fits the `Clock` of libs/data. */
export class ManualClock {
  constructor(private nowMs = Date.now()) {}

  now(): number {
    return this.nowMs;
  }

  advance(milliseconds: number): void {
    this.nowMs += milliseconds;
  }

  set(nowMs: number): void {
    this.nowMs = nowMs;
  }
}
