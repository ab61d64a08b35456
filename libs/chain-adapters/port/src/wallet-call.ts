/** A message of TON Connect's `sendTransaction`. */
export interface TonMessage {
  /** User-friendly address of the receiving contract. */
  readonly address: string;
  /** Nanotons including the fees of the whole payment. The unused part is returned. */
  readonly amount: string;
  /** Body, a BoC in base64. */
  readonly payload: string;
  /** Code and data of a contract that does not exist yet, as a BoC in base64. Null without them. */
  readonly stateInit: string | null;
}

/** A call in the form that the wallets of a family accept. The wallet only has to sign and send it. */
export type WalletCall =
  /** The parameters of TON Connect's `sendTransaction`. */
  | { readonly family: 'ton'; readonly validUntil: number; readonly messages: readonly TonMessage[] }
  | {
      readonly family: 'solana';
      /** The message to sign, in base64. The payer is the only signer and pays the fee. */
      readonly message: string;
      /** The transaction with an empty signature, in base64, for wallets of the Wallet Standard. */
      readonly transaction: string;
      /** Last block height that can include the transaction. */
      readonly lastValidBlockHeight: number;
    }
  | {
      readonly family: 'tron';
      /** A transaction to send before the payment, in the same way. Null if the order is paid in the coin. */
      readonly approval: TronTransaction | null;
      readonly transaction: TronTransaction;
    }
  | {
      readonly family: 'sui';
      /** BCS of the transaction's kind, in base64. The wallet adds its gas. */
      readonly transactionKind: string;
    };

/** An unsigned transaction in the form that `tronWeb.trx.sign` accepts. */
export interface TronTransaction {
  readonly txID: string;
  readonly raw_data_hex: string;
  /** The same raw data as JSON text. */
  readonly raw_data: string;
}
