/** A transfer of the simulated route provider: a delivery or a refund. */
export interface NetworkTransfer {
  /** Distinguishes transfers with the same recipient, token and amount. */
  id: string;
  recipient: string;
  /** Null for the coin. */
  token: string | null;
  amountAtomic: bigint;
}

export interface SignedTransfer {
  raw: string;
  /**
   * Identifies the transfer before its execution. On TON, it is the hash of the message; elsewhere, of the transaction.
   */
  txHash: string;
}

/** The account of a local network that pays for the simulated route provider. */
export interface NetworkTreasury {
  /**
   * Signs a transfer without sending it.
   * @throws TransferRejected when the network rejects the transfer on every attempt
   */
  sign(transfer: NetworkTransfer): Promise<SignedTransfer>;
  /**
   * Executes a signed transfer at most once. After a crash or an error, the call must be repeated with the stored
   * transfer.
   * @returns the hash for the family's `TransferReader`; undefined when the transfer can never be executed and must be
   * signed again
   * @throws TransferRejected when the transfer failed without an effect
   */
  send(signed: SignedTransfer): Promise<string | undefined>;
}
