/** The answer of a handler, kept for a buyer who repeats his request with the same `payment-identifier`. */
export interface StoredResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

export type Claim =
  | { status: 'new' }
  /** Somebody is at it: ask again in a moment. */
  | { status: 'running' }
  /** The same identifier came with another payment. */
  | { status: 'conflict' }
  /** The response is undefined where it was too long to be kept. */
  | { status: 'answered'; response: StoredResponse | undefined };

/** Where answers to paid requests are kept. With one that several guards share, a buyer may repeat at any of them. */
export interface ResponseStore {
  /** Claims the key for one payment, or tells what has become of it. Must be atomic. */
  claim(key: string, fingerprint: string): Claim | Promise<Claim>;
  keep(key: string, fingerprint: string, response: StoredResponse | undefined): void | Promise<void>;
  /** The payment did not happen, or was given back. */
  release(key: string): void | Promise<void>;
}

export interface MemoryResponsesOptions {
  maxResponses?: number;
  /** Of all bodies together. */
  maxBytes?: number;
  /** Longer than a payment is valid, a repeated one is refused anyway. */
  lifetimeMs?: number;
}

interface Entry {
  fingerprint: string;
  endsMs: number;
  byteLength: number;
  answer: { response: StoredResponse | undefined } | undefined;
}

/** In the memory of this process. The oldest go first. */
export class MemoryResponses implements ResponseStore {
  private readonly entries = new Map<string, Entry>();
  private byteLength = 0;
  private readonly maxResponses: number;
  private readonly maxBytes: number;
  private readonly lifetimeMs: number;

  constructor(options: MemoryResponsesOptions = {}) {
    this.maxResponses = options.maxResponses ?? 1_000;
    this.maxBytes = options.maxBytes ?? 16 * 1024 * 1024;
    this.lifetimeMs = options.lifetimeMs ?? 600_000;
  }

  claim(key: string, fingerprint: string): Claim {
    const entry = this.entries.get(key);
    if (!entry || entry.endsMs <= performance.now()) {
      this.put(key, { fingerprint, endsMs: this.endsMs(), byteLength: 0, answer: undefined });
      return { status: 'new' };
    }
    if (!entry.answer) return { status: 'running' };
    if (entry.fingerprint !== fingerprint) return { status: 'conflict' };
    return { status: 'answered', response: entry.answer.response };
  }

  keep(key: string, fingerprint: string, response: StoredResponse | undefined): void {
    const byteLength = response ? response.body.length : 0;
    this.put(key, { fingerprint, endsMs: this.endsMs(), byteLength, answer: { response } });
  }

  release(key: string): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    this.byteLength -= entry.byteLength;
    this.entries.delete(key);
  }

  private endsMs = (): number => performance.now() + this.lifetimeMs;

  private put(key: string, entry: Entry): void {
    this.release(key);
    this.entries.set(key, entry);
    this.byteLength += entry.byteLength;
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= this.maxResponses && this.byteLength <= this.maxBytes) break;
      this.release(oldest);
    }
  }
}
