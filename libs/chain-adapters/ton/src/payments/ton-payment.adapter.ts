import type {
  BlockRef,
  ChainAdapter,
  DepositTransfer,
  MinedCoins,
  DirectOrder,
  PaidContract,
  Payment,
  PaymentInstructions,
  PaymentUpdate,
  ReportedTransaction,
  WalletCall,
} from '@tollbridge/chain-port';
import type { DirectChain, Token } from '@tollbridge/chains';
import { jettonWalletAddress, tonPayOps } from '@tollbridge/onchain/ton';
import { readReply } from '@tollbridge/http';
import { numberAt } from '../get-method-stack';
import { jettonWalletOf } from '../jettons';
import { noAccount, rawOf } from './addresses';
import type { Trace } from './indexed';
import { nextUpdate } from './payment-follower';
import { PaymentReader } from './payments';
import { badReply } from './node-client';
import type { TonNode } from './ton-node';
import { TonTransferReader } from './ton-transfer-reader';
import { isReturned, receivesCoins } from './trace-transfers';
import { transferCall, walletCall } from './wallet-call';

// Limit for reports, because a third party chooses the reported transaction and each of its payments takes some
// requests.
const maxReportedPayments = 32;
// A payment passes through six contracts, each in a block of its shard.
const blocksOfPayment = 3;
// Share of the required coins that is the fee. A payment costs at most 57 % of these coins (README of
// libs/onchain/ton), and the rest is returned.
const [costNumerator, costDenominator] = [3n, 5n];

/** Direct payments on TON, through the payment contract of `@tollbridge/onchain/ton`. Stateless. */
export class TonPaymentAdapter extends TonTransferReader<DirectChain> implements ChainAdapter {
  readonly noFeeReceiver = noAccount;
  readonly canPayerReceive = true;

  /** The duration of the blocks of a payment, of the required blocks, and of one poll that notices them. */
  get settlementMs(): number {
    const { confirmations, blockTimeMs, pollIntervalMs } = this.chain;
    return (blocksOfPayment + confirmations) * blockTimeMs + pollIntervalMs;
  }

  instructions({ token }: DirectOrder): PaymentInstructions {
    return { contractAddress: this.chain.payContract, tokenAddress: token.address ?? noAccount };
  }

  /** Returns a message of TON Connect, which is valid until the order expires. */
  async walletCall(order: DirectOrder, payer: string): Promise<WalletCall> {
    const { address } = order.token;
    const jetton = address === null ? null : await this.rpc.ask((node) => this.jettons.of(node, address));
    return walletCall(order, { payer, jetton, contract: this.chain.payContract });
  }

  /** Returns a message that is valid until the receiver stops crediting the transfer. */
  async transferCall(transfer: DepositTransfer, payer: string): Promise<WalletCall> {
    const { address } = transfer.token;
    const owner = await rawOf(payer);
    if (address === null) return transferCall(transfer, owner, null);
    const jetton = await this.rpc.ask((node) => this.jettons.of(node, address));
    return transferCall(transfer, owner, await jettonWalletAddress(jetton, owner));
  }

  async nextUpdate(known: readonly BlockRef[]): Promise<PaymentUpdate> {
    const { payContract, formerPayContracts, startHeight } = this.chain;
    const contracts = await Promise.all([payContract, ...formerPayContracts].map(rawOf));
    // Uses one node for the whole update, because another one may lag.
    return this.rpc.ask(async (node) => {
      const reader = await this.payments(node);
      return nextUpdate(node, known, { contracts, startHeight, reader });
    });
  }

  async blockBefore(timeMs: number): Promise<BlockRef | undefined> {
    return this.rpc.ask(async (node) => {
      const seqno = timeMs < 0 ? undefined : await node.blockAt(Math.floor(timeMs / 1_000));
      return seqno === undefined || seqno < this.chain.startHeight ? undefined : node.block(seqno);
    });
  }

  /**
   * Finds a transaction by its own hash, by another transaction's hash in its trace, or by the hash of the payer's
   * message.
   */
  async readReport(txHash: string, { contractAddress }: PaidContract): Promise<ReportedTransaction> {
    const contract = await rawOf(contractAddress);
    return this.rpc.ask(async (node): Promise<ReportedTransaction> => {
      const [trace, head] = await Promise.all([
        node.trace(txHash),
        node.head().then((height) => node.block(height)),
      ]);
      if (!trace) return { state: 'notFound' };
      if (!trace.isComplete || trace.seqno > head.height) return { state: 'pending' };
      const payments = await this.paymentsIn(node, trace, { contract, headTimeMs: head.timeMs });
      if (!payments) return { state: 'pending' };
      const height = trace.seqno;
      const paysOtherContract =
        payments.length === 0 && recordsIn(trace).some(({ account }) => account !== contract);
      const isTaken = payments.length > 0 || paysOtherContract;
      const reachedContract = trace.transactions.some(({ account }) => account === contract);
      // The contract returns rejected jettons without a reason.
      if (!isTaken && (reachedContract || isReturned(trace))) return { state: 'failed', height };
      return { state: 'succeeded', height, payments, paysOtherContract };
    });
  }

  /**
   * Includes coins with any operation, and finds them by the hash of any transaction in the trace. `readTransfers`
   * includes neither.
   */
  async receivedCoins({ txHash, receiver }: MinedCoins): Promise<boolean | null> {
    const account = await rawOf(receiver);
    return this.rpc.ask(async (node) => {
      const trace = await node.traceOfTransaction(txHash);
      return trace?.isComplete ? receivesCoins(node, trace, account) : null;
    });
  }

  async balanceAtomic(account: string, { address }: Token): Promise<bigint> {
    const owner = await rawOf(account);
    return this.rpc.ask(async (node) => {
      if (address === null) return node.balance(owner);
      return (await jettonWalletOf(node, { master: await rawOf(address), owner })).balanceAtomic;
    });
  }

  /** Returns the fee of a payment in jettons, which is higher than that of a payment in coins. */
  async paymentFeeAtomic(): Promise<bigint> {
    const contract = await rawOf(this.chain.payContract);
    return this.rpc.ask(async (node) => {
      const required = await node.runGetMethod(contract, 'get_required_coins');
      if (required.exitCode !== 0) throw badReply('the payment contract is not deployed');
      const nano = readReply('toncenter', () => numberAt(required, 0));
      return (nano * costNumerator + costDenominator - 1n) / costDenominator;
    });
  }

  private async payments(node: TonNode): Promise<PaymentReader> {
    return new PaymentReader(this.chain, await this.jettons.all(node));
  }

  /** Returns undefined while a payment is not certain, and if there are so many that only `nextUpdate` reads them. */
  private async paymentsIn(
    node: TonNode,
    trace: Trace,
    { contract, headTimeMs }: { contract: string; headTimeMs: number },
  ): Promise<Payment[] | undefined> {
    const records = recordsIn(trace).filter(({ account }) => account === contract);
    if (records.length > maxReportedPayments) return undefined;
    const reader = await this.payments(node);
    const payments: Payment[] = [];
    for (const indexed of records) {
      const [transaction] = await node.chain(contract, indexed, 1);
      const { hash: blockHash } = await node.block(indexed.seqno);
      if (!transaction) continue;
      const read = await reader.read(node, { indexed, transaction }, { blockHash, headTimeMs });
      if (read.kind === 'unknown') return undefined;
      if (read.kind === 'payment') payments.push(read.payment);
    }
    return payments;
  }
}

/** Returns transactions that resemble the record of a payment, of any contract. */
const recordsIn = ({ transactions }: Trace) =>
  transactions.filter(({ opcode, isFailed }) => opcode === tonPayOps.orderPaid && !isFailed);
