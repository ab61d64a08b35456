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
  /** Identifies the signed transfer before it is executed. On TON the hash of the message, elsewhere of the transaction. */
  txHash: string;
}

/** An account of a local network from which the simulated route provider pays. */
export interface NetworkTreasury {
  /**
   * Signs a transfer and sends nothing.
   * @throws TransferRejected when the network rejects the transfer on every attempt
   */
  sign(transfer: NetworkTransfer): Promise<SignedTransfer>;
  /**
   * Executes a signed transfer at most once: repeat the call after a crash or an error, with the stored transfer.
   * @returns the hash by which the family's `TransferReader` finds the transfer; undefined when the transfer was not executed
   * and never can be, so that it must be signed again
   * @throws TransferRejected when the transfer failed without an effect
   */
  send(signed: SignedTransfer): Promise<string | undefined>;
}
