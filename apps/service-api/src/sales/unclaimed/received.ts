/** A payment to a sales wallet, in a final block. */
export interface Received {
  /** CAIP-2. */
  network: string;
  /** Spelled as in the identity of a payment. */
  asset: string;
  payer: string;
  /** Nonce of the authorization, or the position of the transfer; null for a transfer outside x402. */
  nonce: string | null;
  amountAtomic: bigint;
  transaction: string;
  logIndex: number;
}
