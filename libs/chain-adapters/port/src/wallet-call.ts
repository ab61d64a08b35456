/** A message of TON Connect's `sendTransaction`. */
export interface TonMessage {
  /** User-friendly address of the contract that the wallet sends to. */
  readonly address: string;
  /** Nanotons, fees of the whole payment included; what is not used comes back. */
  readonly amount: string;
  /** Body, a BoC in base64. */
  readonly payload: string;
  /** Code and data of a contract that does not exist yet, a BoC in base64; null for none. */
  readonly stateInit: string | null;
}

/** A call in the form that the wallets of a family take. The wallet only has to sign and send it. */
export type WalletCall =
  /** The parameters of TON Connect's `sendTransaction`. */
  | { readonly family: 'ton'; readonly validUntil: number; readonly messages: readonly TonMessage[] }
  | {
      readonly family: 'solana';
      /** The message to sign, in base64: the payer is the only signer and pays the fee. */
      readonly message: string;
      /** The transaction with an empty signature, in base64, as wallets of the Wallet Standard take it. */
      readonly transaction: string;
      /** No block after this height includes it. */
      readonly lastValidBlockHeight: number;
    }
  | {
      readonly family: 'tron';
      /** To be sent before the payment, as `transaction` is; null where the order is paid in the coin. */
      readonly approval: TronTransaction | null;
      readonly transaction: TronTransaction;
    }
  | {
      readonly family: 'sui';
      /** BCS of the transaction's kind, in base64: the wallet adds its gas. */
      readonly transactionKind: string;
    };

/** An unsigned transaction as `tronWeb.trx.sign` takes it. */
export interface TronTransaction {
  readonly txID: string;
  readonly raw_data_hex: string;
  /** The same as JSON text. */
  readonly raw_data: string;
}
