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

// A stranger chooses the transaction of a report, and each of its payments takes some requests.
const maxReportedPayments = 32;
// A payment passes six contracts, each in a block of its shard.
const blocksOfPayment = 3;
// Fee as a share of the coins that the contract requires. Payments cost at most 57 percent of them (README of
// libs/onchain/ton); the rest is returned.
const [costNumerator, costDenominator] = [3n, 5n];

/** Direct payments on TON, through the payment contract of `@tollbridge/onchain/ton`. Stateless. */
export class TonPaymentAdapter extends TonTransferReader<DirectChain> implements ChainAdapter {
  readonly noFeeReceiver = noAccount;
  readonly canPayerReceive = true;

  /** The blocks that a payment passes, the required ones, and one poll to notice them. */
  get settlementMs(): number {
    const { confirmations, blockTimeMs, pollIntervalMs } = this.chain;
    return (blocksOfPayment + confirmations) * blockTimeMs + pollIntervalMs;
  }

  instructions({ token }: DirectOrder): PaymentInstructions {
    return { contractAddress: this.chain.payContract, tokenAddress: token.address ?? noAccount };
  }

  /** A message of TON Connect, valid as long as the order. */
  async walletCall(order: DirectOrder, payer: string): Promise<WalletCall> {
    const { address } = order.token;
    const jetton = address === null ? null : await this.rpc.ask((node) => this.jettons.of(node, address));
    return walletCall(order, { payer, jetton, contract: this.chain.payContract });
  }

  /** Valid as long as the transfer is credited. */
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
    // One node for the whole update: another one may lag.
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
   * Finds a transaction by its own hash, by the hash of any other transaction of its trace, or by the payer's message.
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

  /** With any operation, and under the hash of any transaction of the trace: `readTransfers` shows neither. */
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

  /** Fee of a payment in jettons, which costs more than one in coins. */
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

  /** Undefined while one of them is not certain, and where they are so many that only `nextUpdate` reads them. */
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

/** Transactions that look like the record of a payment, of any contract. */
const recordsIn = ({ transactions }: Trace) =>
  transactions.filter(({ opcode, isFailed }) => opcode === tonPayOps.orderPaid && !isFailed);
