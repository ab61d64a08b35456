import type { Chain, Token } from '@tollbridge/chains';
import type { BlockRef, PaymentUpdate, ReportedTransaction } from './chain-events';
import type { MinedCoins, TransferRead, WantedTransfers } from './transfers';
import type { WalletCall } from './wallet-call';

/** An order that the payer's wallet pays directly. Addresses are canonical. */
export interface DirectOrder {
  readonly id: string;
  readonly token: Token;
  readonly merchantAddress: string;
  readonly merchantAmountAtomic: bigint;
  readonly feeReceiver: string;
  readonly feeAmountAtomic: bigint;
  readonly expiresAtMs: number;
}

/** A transfer to a deposit address, without a contract of ours. Addresses are canonical. */
export interface DepositTransfer {
  readonly token: Token;
  readonly receiver: string;
  readonly amountAtomic: bigint;
  /** Memo that the receiver needs to credit the transfer (`canCarryMemo`). Null without a memo. */
  readonly memo: string | null;
  /** The receiver does not credit a transfer after this time. */
  readonly expiresAtMs: number;
}

/** The parameters of a payment for the payer's wallet. They are stored with the order. */
export interface PaymentInstructions {
  /** The contract, program or account that receives the payment of this order. */
  readonly contractAddress: string;
  /** The token's address in the form that the contract uses. */
  readonly tokenAddress: string;
}

/** An order's payment address from its instructions. */
export type PaidContract = Pick<PaymentInstructions, 'contractAddress'>;

/**
 * Reads transfers on a chain, even if it has no direct payments. Addresses, hashes and references are strings in the
 * chain's canonical form. `@tollbridge/chains` validates them without a node.
 */
export interface TransferReader {
  /** The chain in the configuration of this deployment: tokens, confirmations, block time. */
  readonly chain: Chain;
  /** Interval between two polls of the chain. */
  readonly pollIntervalMs: number;

  /**
   * Reads the states of these transactions, in their order and at one head. Public nodes accept about 20 concurrent
   * requests.
   * @throws when no node answers, or a node rejects one of the hashes; all states are then unknown, so retry
   */
  readTransfers(wanted: readonly WantedTransfers[]): Promise<TransferRead[]>;
}

/**
 * The operations that a chain family implements for direct payments. Amounts are bigint in atomic units, ids are
 * strings, and times are in milliseconds. Methods that call a node throw when it does not answer. The state is then
 * unknown, so retry.
 */
export interface ChainAdapter extends TransferReader {
  /** Typical time from a payment to its settlement. Use it for estimates, never for a deadline. */
  readonly settlementMs: number;
  /** The fee receiver of an order without a fee. */
  readonly noFeeReceiver: string;
  /** False if the contract rejects a payer that is also a receiver of the payment. */
  readonly canPayerReceive: boolean;

  /** Returns the parameters for paying an order. Pure: the same order always has the same instructions. */
  instructions(order: DirectOrder): PaymentInstructions;

  /**
   * Returns the order as a call for the payer's wallet to sign and send. Null on EVM chains, where the wallet calls the
   * contract with the order itself. May request short-lived data from a node, such as a recent block.
   */
  walletCall(order: DirectOrder, payer: string): Promise<WalletCall | null>;

  /**
   * Returns a transfer as a call for the payer's wallet to sign and send: this exact amount to this receiver, with the
   * memo. Null on EVM chains, because their wallets can transfer without it. May call a node like `walletCall`.
   * @throws Error for a memo on a chain without memos in transfers (`canCarryMemo`)
   */
  transferCall(transfer: DepositTransfer, payer: string): Promise<WalletCall | null>;

  /**
   * Returns the next step from the stored blocks (ascending; empty at first) to the head of the chain. The caller
   * applies the step in one transaction, and repeats the call until `idle`.
   * @param window number of blocks that the caller stores; after a deeper reorganisation the adapter reads everything
   * again
   */
  nextUpdate(known: readonly BlockRef[], window: number): Promise<PaymentUpdate>;

  /**
   * Returns the newest block at or before this time, on the chain's own clock. `nextUpdate` may continue from it.
   * Undefined if that block is older than the payment contract.
   */
  blockBefore(timeMs: number): Promise<BlockRef | undefined>;

  /** Reads a transaction that a client reported for an order. */
  readReport(txHash: string, paid: PaidContract): Promise<ReportedTransaction>;

  /**
   * Whether a mined transaction sent coins to an account by a contract, without a transfer in `readTransfers`. Null if
   * no node has the required state any more. Not implemented on chains where `readTransfers` returns all coins.
   */
  receivedCoins?(coins: MinedCoins): Promise<boolean | null>;

  /** Returns an account's balance of a token or of the coin, at the head of the chain. */
  balanceAtomic(account: string, token: Token): Promise<bigint>;

  /** Returns the current cost of a payment for its payer in the chain's coin, rounded up. */
  paymentFeeAtomic(): Promise<bigint>;
}
