/** The log of an ended process, which this process has taken over. */
export interface AbandonedLog {
  owner: string;
  /** In the order of their appends. */
  batches: Buffer[];
  /** Call it after this process has stored the channels in its own log. */
  drop(): Promise<void>;
}

/**
 * Stores the links that a paywall process has accepted. Each process has its own log, and only one process can take
 * over a log. Thus no link is accepted twice.
 */
export interface ChannelStore {
  /**
   * Called before all other methods, and again after a rejection.
   * @param owner a name that is unique to this process
   */
  open(owner: string): Promise<void>;
  /**
   * Resolves when the batch is durable. Its bytes are reused from then on. Calls never overlap. After a rejection the
   * written part is unknown, and the paywall accepts no links until `replace` has succeeded.
   */
  append(batch: Uint8Array): Promise<void>;
  /** Replaces the whole log by one batch, atomically. It is called again after a rejection. */
  replace(batch: Uint8Array): Promise<void>;
  /**
   * Returns the logs of ended processes. Each log is returned only once.
   * @param afterMs selects processes that ended at least this long ago, as far as this process knows, because a
   * successor may be starting
   */
  takeOver(afterMs: number): Promise<AbandonedLog[]>;
  /** Keeps the log, so that another process can take it over. */
  close(): Promise<void>;
}
