/** A transfer of the simulated route provider: a delivery or a refund. */
export interface NetworkTransfer {
  /** Makes transfers with the same recipient, token and amount differ. */
  id: string;
  recipient: string;
  /** Null for the coin. */
  token: string | null;
  amountAtomic: bigint;
}

export interface SignedTransfer {
  raw: string;
  /** Identifies the transfer before its execution: on TON the hash of the message, elsewhere of the transaction. */
  txHash: string;
}

/** The account of a local network that pays for the simulated route provider. */
export interface NetworkTreasury {
  /**
   * Signs a transfer and sends nothing.
   * @throws TransferRejected when the network rejects the transfer on every attempt
   */
  sign(transfer: NetworkTransfer): Promise<SignedTransfer>;
  /**
   * Executes a signed transfer at most once: repeat the call after a crash or an error, with the stored transfer.
   * @returns the hash for the family's `TransferReader`, or undefined when the transfer can never be executed and must
   * be signed again
   * @throws TransferRejected when the transfer failed without an effect
   */
  send(signed: SignedTransfer): Promise<string | undefined>;
}
