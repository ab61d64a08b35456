/** A payment that a sales wallet has received, in a block that the chain can no longer drop. */
export interface Received {
  /** CAIP-2. */
  network: string;
  /** As in the identity of a payment. */
  asset: string;
  payer: string;
  /** Nonce of the authorization, or the position of the transfer; null for a transfer outside x402. */
  nonce: string | null;
  amountAtomic: bigint;
  transaction: string;
  logIndex: number;
}
