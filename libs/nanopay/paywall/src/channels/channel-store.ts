/** The log of a process that has ended, taken over by this one. */
export interface AbandonedLog {
  owner: string;
  /** In the order of their appends. */
  batches: Buffer[];
  /** Called when this process has stored the channels in its own log. */
  drop(): Promise<void>;
}

/**
 * Where a paywall process writes the links that it has accepted. Each process has a log of its own, and no log is given
 * to two processes: a link is never accepted twice.
 */
export interface ChannelStore {
  /** Called before all others, and again after a rejection. @param owner a name that no other process has */
  open(owner: string): Promise<void>;
  /**
   * Resolves when the batch is durable; its bytes are used again from then on. One call at a time. After a rejection,
   * whatever was written, the paywall accepts no more links until `replace` has succeeded.
   */
  append(batch: Uint8Array): Promise<void>;
  /** Replaces the whole log by one batch, all or nothing. After a rejection it is called again. */
  replace(batch: Uint8Array): Promise<void>;
  /**
   * Logs of processes that have ended. Each is given away once.
   * @param afterMs only those that ended at least this long ago, as far as this process knows: a successor may be
   * starting
   */
  takeOver(afterMs: number): Promise<AbandonedLog[]>;
  /** The log stays, for a process that takes it over. */
  close(): Promise<void>;
}
