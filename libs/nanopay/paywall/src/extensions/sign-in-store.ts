/** Stores the state of sign-ins. Processes of one seller share a store, for example a table or Redis. */
export interface SignInStore {
  /** Records that a wallet may read a resource until `endsMs`. An earlier end does not replace a later one. */
  keepAccess(access: string, endsMs: number): void | Promise<void>;
  hasAccess(access: string): boolean | Promise<boolean>;
  /**
   * Uses a nonce: returns true the first time and false afterwards. Must be atomic, and store the nonce until `endsMs`.
   */
  useNonce(nonce: string, endsMs: number): boolean | Promise<boolean>;
}

export interface MemorySignInsOptions {
  /** Maximum number of recorded payments. The oldest are evicted first. */
  maxAccesses?: number;
  /** Maximum number of used nonces. Above it, sign-ins receive 503. */
  maxNonces?: number;
  /** Unix milliseconds. */
  clock?: () => number;
}

/** A store in the memory of this process. A used nonce is never evicted before its end. */
export class MemorySignIns implements SignInStore {
  private readonly accesses = new Map<string, number>();
  private readonly nonces = new Map<string, number>();
  private readonly maxAccesses: number;
  private readonly maxNonces: number;
  private readonly clock: () => number;

  constructor(options: MemorySignInsOptions = {}) {
    this.maxAccesses = options.maxAccesses ?? 100_000;
    this.maxNonces = options.maxNonces ?? 100_000;
    this.clock = options.clock ?? Date.now;
  }

  keepAccess(access: string, endsMs: number): void {
    const latest = Math.max(endsMs, this.accesses.get(access) ?? 0);
    this.accesses.delete(access);
    this.accesses.set(access, latest);
    if (this.accesses.size > this.maxAccesses) this.accesses.delete(this.accesses.keys().next().value!);
  }

  hasAccess(access: string): boolean {
    return (this.accesses.get(access) ?? 0) > this.clock();
  }

  useNonce(nonce: string, endsMs: number): boolean {
    if (this.nonces.has(nonce)) return false;
    if (this.nonces.size >= this.maxNonces) this.forget();
    if (this.nonces.size >= this.maxNonces) throw new RangeError('Too many nonces are in use.');
    this.nonces.set(nonce, endsMs);
    return true;
  }

  private forget(): void {
    const nowMs = this.clock();
    for (const [nonce, endsMs] of this.nonces) if (endsMs <= nowMs) this.nonces.delete(nonce);
  }
}
