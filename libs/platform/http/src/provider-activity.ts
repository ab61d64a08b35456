/** Observer of calls to providers. */
export interface ProviderListener {
  /** @param failure the kind of the error; empty after a success */
  onAnswered(provider: string, seconds: number, failure: string): void;
}

/** Tracks the calls of this process to providers, and the state of their circuits. */
class ProviderActivity {
  private readonly open = new Map<string, number>();
  private readonly listeners = new Set<ProviderListener>();

  listen(listener: ProviderListener): void {
    this.listeners.add(listener);
  }

  /** Number of open circuits of each provider. A provider may have several. */
  get openCircuits(): ReadonlyMap<string, number> {
    return this.open;
  }

  add(provider: string): void {
    this.open.set(provider, this.open.get(provider) ?? 0);
  }

  opened(provider: string): void {
    this.open.set(provider, (this.open.get(provider) ?? 0) + 1);
  }

  closed(provider: string): void {
    this.open.set(provider, Math.max(0, (this.open.get(provider) ?? 0) - 1));
  }

  answered(provider: string, seconds: number, failure: string): void {
    for (const listener of this.listeners) listener.onAnswered(provider, seconds, failure);
  }
}

export const providerActivity = new ProviderActivity();
