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

/** A transfer to a deposit address, which no contract of ours takes. Addresses are canonical. */
export interface DepositTransfer {
  readonly token: Token;
  readonly receiver: string;
  readonly amountAtomic: bigint;
  /** Text that the receiver needs to credit the transfer (`canCarryMemo`); null without one. */
  readonly memo: string | null;
  /** The receiver credits nothing after this. */
  readonly expiresAtMs: number;
}

/** What the payer's wallet must call; stored with the order. */
export interface PaymentInstructions {
  /** The contract, program or account that takes the payment of this order. */
  readonly contractAddress: string;
  /** How the contract names the token. */
  readonly tokenAddress: string;
}

/** An order's payment address, as its instructions gave it. */
export type PaidContract = Pick<PaymentInstructions, 'contractAddress'>;

/**
 * Reads transfers on a chain that need not take direct payments here. Addresses, hashes and references are texts in the
 * chain's canonical form: `@tollbridge/chains` validates them without a node.
 */
export interface TransferReader {
  /** The chain as this deployment has it: tokens, confirmations, block time. */
  readonly chain: Chain;
  /** How often to poll the chain. */
  readonly pollIntervalMs: number;

  /**
   * Reads the states of these transactions, in their order and as of one head. Public nodes take about 20 at once.
   * @throws when no node answers, or a node rejects one of the hashes. Nothing is known of any of them then: retry
   */
  readTransfers(wanted: readonly WantedTransfers[]): Promise<TransferRead[]>;
}

/**
 * Everything that a chain family must do to take direct payments. Amounts are bigint atomic units, ids are texts, times
 * are milliseconds. Methods that ask a node throw when the node does not answer; nothing is known then, so retry.
 */
export interface ChainAdapter extends TransferReader {
  /** From a payment to its settlement, typically: for estimates, never for a deadline. */
  readonly settlementMs: number;
  /** Receives the fee of an order without a fee. */
  readonly noFeeReceiver: string;
  /** False where the contract rejects a payer that is also a receiver of the payment. */
  readonly canPayerReceive: boolean;

  /** What a payer needs to pay an order. Pure: the same order gets the same instructions. */
  instructions(order: DirectOrder): PaymentInstructions;

  /**
   * The order as a call for the payer's wallet to sign and send. Null on EVM chains: there the wallet calls the
   * contract with the order itself. May ask a node for what expires soon, such as a recent block.
   */
  walletCall(order: DirectOrder, payer: string): Promise<WalletCall | null>;

  /**
   * A transfer as a call that the payer's wallet signs and sends: exactly this amount, to this receiver, with the memo.
   * Null on EVM chains: their wallets take the transfer itself. Asks a node as `walletCall` does.
   * @throws Error for a memo on a chain where transfers carry none (`canCarryMemo`)
   */
  transferCall(transfer: DepositTransfer, payer: string): Promise<WalletCall | null>;

  /**
   * The next step from the blocks that the caller stored (ascending; empty at first) to the head of the chain. The
   * caller applies it in one transaction and calls again until `idle`.
   * @param window how many blocks the caller stores. A deeper reorganisation makes the adapter read everything again
   */
  nextUpdate(known: readonly BlockRef[], window: number): Promise<PaymentUpdate>;

  /**
   * The newest block at or before this time, by the chain's own clock. `nextUpdate` may continue from it. Undefined
   * when it is older than the payment contract.
   */
  blockBefore(timeMs: number): Promise<BlockRef | undefined>;

  /** Reads a transaction that a client reported for an order. */
  readReport(txHash: string, paid: PaidContract): Promise<ReportedTransaction>;

  /**
   * Whether an account got coins by a mined transaction that has no transfer to it in `readTransfers`: a contract sent
   * them. Null where no node shows it, or no longer does. Left out on chains where `readTransfers` shows all coins.
   */
  receivedCoins?(coins: MinedCoins): Promise<boolean | null>;

  /** What an account holds of a token or of the coin, at the head of the chain. */
  balanceAtomic(account: string, token: Token): Promise<bigint>;

  /** Current cost of a payment for its payer in the chain's coin, rounded up. */
  paymentFeeAtomic(): Promise<bigint>;
}
