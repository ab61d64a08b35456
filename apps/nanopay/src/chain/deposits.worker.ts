import { Inject, Injectable } from '@nestjs/common';
import { teeMoneyApi, type ChainTransaction, type PayoutPayment } from '@tollbridge/contracts';
import { BusClient, DomainError } from '@tollbridge/rpc';
import { Metrics, type Logger } from '@tollbridge/observability';
import { ProviderError } from '@tollbridge/http';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import {
  jettonWalletAddressOf,
  readDeposits,
  signingKeyOf,
  type Deposit,
  type ReturnedTransfer,
  type TonAccountReader,
  type WalletKey,
} from '@tollbridge/ton';
import type { NanopayConfig } from '../config';
import { Deployed } from '../deployment/deployed';
import { AssetWallet, Chain } from './asset-wallet';
import { ChainPoller, type Polled } from './chain-poller';

const { creditDeposit, creditReturn, readCursor, readPayments } = teeMoneyApi.operations;
// The number of transactions per poll.
const pageSize = 100;
// The number of attempts to read the key of one sender while the chain is otherwise available.
const maxKeyReads = 10;

const unmatchedReasons = ['no_sender', 'bounced', 'rejected', 'unknown_return', 'rejected_return'] as const;
type UnmatchedReason = (typeof unmatchedReasons)[number];

/**
 * Finds deposits on the chain and credits them in the payment ledger service. Any number of replicas may run, because
 * each transaction is credited only once. Reading starts after the last credited transaction.
 */
@Injectable()
export class DepositsWorker extends ChainPoller {
  private readonly countUnmatched: (reason: UnmatchedReason, transfers?: number) => void;
  private cursor: { wallet: string; lt: bigint } | undefined;
  /** The failed reads of the current sender's key. */
  private failedKeyReads: { lt: bigint; times: number } | undefined;

  constructor(
    chain: Chain,
    private readonly wallet: AssetWallet,
    private readonly deployed: Deployed,
    private readonly client: BusClient,
    @Inject(ServiceConfig) { NANOPAY_CHAIN_LOOK_MS: pollMs }: NanopayConfig,
    @Inject(ServiceLogger) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    super(chain, pollMs, (error) => logger.warn({ err: error }, 'deposits not read, retrying'));
    const unmatched = metrics.counter(
      'tollbridge_nano_deposits_unmatched_total',
      'Transfers to the contract that no account or withdrawal was credited for; the log has each',
      ['reason'],
    );
    for (const reason of unmatchedReasons) unmatched.inc({ reason }, 0);
    this.countUnmatched = (reason, transfers = 1) => unmatched.inc({ reason }, transfers);
  }

  protected async poll(reader: TonAccountReader): Promise<Polled> {
    const cursor = (this.cursor ??= await this.startingPoint(reader));
    const account = { owner: this.deployed.deployment.verifyingContract, jettonWallet: cursor.wallet };
    const { deposits, returned, ignored, lastLt, hasMore } = await readDeposits(
      reader,
      account,
      cursor.lt,
      pageSize,
    );
    // In order, because a restart continues after the last credited transaction.
    for (const arrived of [...deposits, ...returned].sort((one, other) => (one.lt < other.lt ? -1 : 1)))
      await ('sender' in arrived ? this.credit(reader, arrived) : this.creditReturn(reader, arrived));
    this.countUnmatched('no_sender', ignored.no_sender ?? 0);
    this.countUnmatched('bounced', ignored.bounced ?? 0);
    if (ignored.no_sender)
      this.logger.error({ reason: 'no_sender', count: ignored.no_sender }, 'deposit without a known sender');
    if (ignored.bounced)
      this.logger.error(
        { reason: 'bounced', count: ignored.bounced },
        'transfer bounced without a readable message',
      );
    this.cursor = { ...cursor, lt: lastLt };
    if (hasMore) return 'more';
    return lastLt === cursor.lt ? 'idle' : 'done';
  }

  private async startingPoint(reader: TonAccountReader): Promise<{ wallet: string; lt: bigint }> {
    const { address } = await this.wallet.read(reader);
    const { lt } = await this.client.call(readCursor, { chainAccount: address });
    return { wallet: address, lt: BigInt(lt) };
  }

  /**
   * Reads the key of a sender. A wallet with failing code must not block other deposits, and its owner then sends the
   * key with a payment. A failure of the chain is retried, because the wallet may have disabled signatures.
   */
  private async keyOf(
    reader: TonAccountReader,
    { sender, lt }: Pick<Deposit, 'sender' | 'lt'>,
  ): Promise<WalletKey> {
    try {
      return await signingKeyOf(reader, sender);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind === 'rateLimited') throw error;
      this.failedKeyReads = { lt, times: this.failedKeyReads?.lt === lt ? this.failedKeyReads.times + 1 : 1 };
      if (error.kind === 'unavailable' && this.failedKeyReads.times < maxKeyReads) throw error;
      this.logger.warn({ err: error }, 'sender key not readable');
      return { kind: 'none' };
    }
  }

  private async credit(reader: TonAccountReader, deposit: Deposit): Promise<void> {
    const { sender, amountAtomic } = deposit;
    const key = await this.keyOf(reader, deposit);
    const where = transactionOf(deposit);
    try {
      const { isNew } = await this.client.call(creditDeposit, {
        sender,
        amount: amountAtomic.toString(),
        ...where,
        ...(key.kind === 'switchedOff' && { isSwitchedOff: true }),
        ...(key.kind === 'key' && { publicKey: key.publicKey.toString('hex') }),
      });
      if (isNew) this.logger.info({ lt: where.lt }, 'deposit credited');
    } catch (error) {
      // A permanent rejection, such as an amount above the range of the ledger, must not block other deposits.
      if (!(error instanceof DomainError) || error.code !== 'VALIDATION_ERROR') throw error;
      this.countUnmatched('rejected');
      this.logger.error({ err: error, ...where }, 'deposit rejected by the ledger');
    }
  }

  /**
   * Credits a payout that the recipient's wallet returned, for example because the issuer locked it. The withdrawal is
   * found by the payout number in the message, the amount, and the returning wallet.
   */
  private async creditReturn(reader: TonAccountReader, returned: ReturnedTransfer): Promise<void> {
    const { queryId, amountAtomic, hash } = returned;
    const about = { payout: queryId.toString(), amount: amountAtomic.toString(), hash };
    const payment = await this.paymentOf(reader, returned);
    if (!payment) {
      this.countUnmatched('unknown_return');
      return this.logger.error(about, 'returned payout matches no withdrawal');
    }
    const { withdrawalId } = payment;
    try {
      const { isNew } = await this.client.call(creditReturn, { withdrawalId, ...transactionOf(returned) });
      if (isNew) this.logger.warn({ ...about, withdrawalId }, 'returned payout credited');
    } catch (error) {
      // A permanent rejection must not block other deposits.
      if (!(error instanceof DomainError) || error.code !== 'NOT_FOUND') throw error;
      this.countUnmatched('rejected_return');
      this.logger.error({ err: error, ...about, withdrawalId }, 'returned payout rejected by the ledger');
    }
  }

  private async paymentOf(
    reader: TonAccountReader,
    { queryId, amountAtomic, from }: ReturnedTransfer,
  ): Promise<PayoutPayment | undefined> {
    if (queryId > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
    const { payments } = await this.client.call(readPayments, { number: Number(queryId) });
    const { master } = this.deployed.deployment.asset;
    for (const payment of payments.filter(({ amount }) => BigInt(amount) === amountAtomic)) {
      if ((await jettonWalletAddressOf(reader, { master, owner: payment.destination })) === from)
        return payment;
    }
    return undefined;
  }
}

const transactionOf = ({ account, lt, hash }: Deposit | ReturnedTransfer): ChainTransaction => ({
  chainAccount: account,
  lt: lt.toString(),
  hash,
});
