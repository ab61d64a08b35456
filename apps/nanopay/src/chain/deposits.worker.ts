import { Inject, Injectable } from '@nestjs/common';
import { teeMoneyApi, type ChainTransaction, type PayoutPayment } from '@tollbridge/contracts';
import { BusClient, DomainError } from '@tollbridge/rpc';
import type { Logger } from '@tollbridge/observability';
import { ProviderError } from '@tollbridge/http';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import {
  jettonWalletAddressOf,
  readDeposits,
  signingKeyOf,
  type Deposit,
  type ReturnedTransfer,
  type TonAccountReader,
} from '@tollbridge/ton';
import type { NanopayConfig } from '../config';
import { Deployed } from '../deployed';
import { AssetWallet, Chain } from './asset-wallet';
import { ChainLooks, type Looked } from './chain-looks';

const { creditDeposit, creditReturn, readCursor, readPayments } = teeMoneyApi.operations;
// As many as are credited within a look.
const portion = 100;
// For the key of one sender, while the chain answers other questions.
const maxAsked = 10;

/**
 * Finds what has arrived on the chain and has the enclave credit it. Any number of replicas may look: a transaction is
 * credited once. The place from which the chain is read is kept here, and begins at the last that was credited.
 */
@Injectable()
export class DepositsWorker extends ChainLooks {
  private cursor: { wallet: string; lt: bigint } | undefined;
  /** How often the sender of one deposit was asked in vain. */
  private asked: { lt: bigint; times: number } | undefined;

  constructor(
    chain: Chain,
    private readonly wallet: AssetWallet,
    private readonly deployed: Deployed,
    private readonly client: BusClient,
    @Inject(ServiceConfig) { NANOPAY_CHAIN_LOOK_MS: lookMs }: NanopayConfig,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    super(chain, lookMs, (error) => logger.warn({ err: error }, 'deposits could not be read; trying again'));
  }

  protected async look(reader: TonAccountReader): Promise<Looked> {
    const cursor = (this.cursor ??= await this.begin(reader));
    const account = { owner: this.deployed.deployment.verifyingContract, jettonWallet: cursor.wallet };
    const { deposits, returned, ignored, lastLt, hasMore } = await readDeposits(
      reader,
      account,
      cursor.lt,
      portion,
    );
    // In their order: where a restart begins, all before was credited.
    for (const arrived of [...deposits, ...returned].sort((one, other) => (one.lt < other.lt ? -1 : 1)))
      await ('sender' in arrived ? this.credit(reader, arrived) : this.creditReturn(reader, arrived));
    if (ignored.no_sender) this.logger.error({ count: ignored.no_sender }, 'money of nobody has arrived');
    if (ignored.bounced) this.logger.error({ count: ignored.bounced }, 'what was sent has come back unread');
    this.cursor = { ...cursor, lt: lastLt };
    if (hasMore) return 'more';
    return lastLt === cursor.lt ? 'idle' : 'done';
  }

  private async begin(reader: TonAccountReader): Promise<{ wallet: string; lt: bigint }> {
    const { address } = await this.wallet.read(reader);
    const { lt } = await this.client.call(readCursor, { chainAccount: address });
    return { wallet: address, lt: BigInt(lt) };
  }

  /**
   * Whatever the code of a sender makes of the question, others must not wait behind it for ever: then he sends his key
   * himself. Where it may be the chain's fault it is asked again, since the answer may be that he has no key any more.
   */
  private async keyOf(
    reader: TonAccountReader,
    { sender, lt }: Pick<Deposit, 'sender' | 'lt'>,
  ): ReturnType<typeof signingKeyOf> {
    try {
      return await signingKeyOf(reader, sender);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind === 'rateLimited') throw error;
      this.asked = { lt, times: this.asked?.lt === lt ? this.asked.times + 1 : 1 };
      if (error.kind === 'unavailable' && this.asked.times < maxAsked) throw error;
      this.logger.warn({ err: error }, 'a sender does not tell his key');
      return undefined;
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
        ...(key === 'switched off' && { isSwitchedOff: true }),
        ...(Buffer.isBuffer(key) && { publicKey: key.toString('hex') }),
      });
      if (isNew) this.logger.info({ lt: where.lt }, 'a deposit was credited');
    } catch (error) {
      // More than the ledger holds, for instance: it would be rejected for ever, and others wait behind it.
      if (!(error instanceof DomainError) || error.code !== 'VALIDATION_ERROR') throw error;
      this.logger.error({ err: error, ...where }, 'a deposit cannot be credited: somebody has to look');
    }
  }

  /**
   * What the wallet of a recipient did not take, for instance because the issuer has locked it. Whose it is, the message
   * does not say: it is found by the payout that it names, by its amount, and by the wallet that it comes from.
   */
  private async creditReturn(reader: TonAccountReader, returned: ReturnedTransfer): Promise<void> {
    const { queryId, amountAtomic, hash } = returned;
    const about = { payout: queryId.toString(), amount: amountAtomic.toString(), hash };
    const payment = await this.paymentOf(reader, returned);
    if (!payment)
      return this.logger.error(about, 'money has come back that was paid out to nobody known: look at it');
    const { withdrawalId } = payment;
    try {
      const { isNew } = await this.client.call(creditReturn, { withdrawalId, ...transactionOf(returned) });
      if (isNew) this.logger.warn({ ...about, withdrawalId }, 'money that was paid out has come back');
    } catch (error) {
      // It would be rejected for ever, and others wait behind it.
      if (!(error instanceof DomainError) || error.code !== 'NOT_FOUND') throw error;
      this.logger.error(
        { err: error, ...about, withdrawalId },
        'money that has come back cannot be credited',
      );
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
