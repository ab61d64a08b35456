import type { FrameItem, Outcome } from '@tollbridge/nanopay-protocol';

/** The connection to the payment ledger service. Outcomes are in the order of the items. */
export interface Transport {
  /** A rejected promise means an unknown outcome for every item. */
  send(items: readonly FrameItem[]): Promise<Outcome[]>;
  close?(): void;
}
