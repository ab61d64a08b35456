import { LRUCache } from 'lru-cache';

/** The response of a handler, stored for retries with the same `payment-identifier`. */
export interface StoredResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

/** A response that is copied only when it is needed, because most responses are never needed again. */
export interface RecordedResponse {
  byteLength: number;
  /** Returns undefined if the response was too long. */
  take(): StoredResponse | undefined;
}

export type Claim =
  | { status: 'new' }
  /** Another request is in progress: retry shortly. */
  | { status: 'running' }
  /** The same identifier was sent with another payment. */
  | { status: 'conflict' }
  /** The response is undefined if it was too long to be stored. */
  | { status: 'answered'; response: StoredResponse | undefined };

/** Stores responses to paid requests. With a shared store a buyer can retry at any process. */
export interface ResponseStore {
  /** Claims the key for one payment, or returns its state. Must be atomic. */
  claim(key: string, fingerprint: string): Claim | Promise<Claim>;
  keep(key: string, fingerprint: string, response: StoredResponse | undefined): void | Promise<void>;
  /** Releases the key after a payment that did not happen or was refunded. */
  release(key: string): void | Promise<void>;
}

export interface MemoryResponsesOptions {
  /** Maximum number of stored responses, and of calls in progress. */
  maxResponses?: number;
  /** Maximum size of all bodies together. */
  maxBytes?: number;
  /** Must be longer than the validity of a payment. Later retries are rejected anyway. */
  lifetimeMs?: number;
}

interface Entry {
  fingerprint: string;
  endsMs: number;
  response: StoredResponse | undefined;
}

/**
 * A store in the memory of this process. The oldest responses are evicted first. Calls in progress with unverified
 * payments only evict each other.
 */
export class MemoryResponses implements ResponseStore {
  private readonly entries = new Map<string, Entry>();
  /** Expiry of the claim of each call in progress. */
  private readonly running: LRUCache<string, number>;
  private byteLength = 0;
  private readonly maxResponses: number;
  private readonly maxBytes: number;
  private readonly lifetimeMs: number;

  constructor(options: MemoryResponsesOptions = {}) {
    this.maxResponses = options.maxResponses ?? 1_000;
    this.maxBytes = options.maxBytes ?? 16 * 1024 * 1024;
    this.lifetimeMs = options.lifetimeMs ?? 600_000;
    // LRUCache treats 0 as a missing limit.
    this.running = new LRUCache({ max: Math.max(this.maxResponses, 1) });
  }

  claim(key: string, fingerprint: string): Claim {
    const nowMs = performance.now();
    const entry = this.entries.get(key);
    if (entry && entry.endsMs > nowMs)
      return entry.fingerprint === fingerprint
        ? { status: 'answered', response: entry.response }
        : { status: 'conflict' };
    if ((this.running.get(key) ?? 0) > nowMs) return { status: 'running' };
    this.running.set(key, nowMs + this.lifetimeMs);
    return { status: 'new' };
  }

  keep(key: string, fingerprint: string, response: StoredResponse | undefined): void {
    this.release(key);
    this.entries.set(key, { fingerprint, endsMs: performance.now() + this.lifetimeMs, response });
    this.byteLength += lengthOf(response);
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= this.maxResponses && this.byteLength <= this.maxBytes) break;
      this.drop(oldest);
    }
  }

  release(key: string): void {
    this.running.delete(key);
    this.drop(key);
  }

  private drop(key: string): void {
    this.byteLength -= lengthOf(this.entries.get(key)?.response);
    this.entries.delete(key);
  }
}

const lengthOf = (response: StoredResponse | undefined): number => response?.body.length ?? 0;
