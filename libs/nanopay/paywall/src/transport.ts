import type { FrameItem, Outcome } from '@tollbridge/nanopay-protocol';

/** The way to the enclave. What is sent together is answered together, in the same order. */
export interface Transport {
  /** A rejection means the same as `unknown` for every item: nobody knows what the enclave has done. */
  send(items: readonly FrameItem[]): Promise<Outcome[]>;
  close?(): void;
}
