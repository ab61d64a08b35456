import { Inject, Injectable } from '@nestjs/common';
import { teeMoneyApi, type OpenPayout } from '@tollbridge/api';
import { BusClient } from '@tollbridge/bus';
import { Clock } from '@tollbridge/data';
import type { Logger } from '@tollbridge/observability';
import { ProviderError } from '@tollbridge/providers';
import { ServiceConfig, ServiceLogger } from '@tollbridge/service';
import { batchOutcome, isProcessed, type BatchOutcome, type TonAccountReader } from '@tollbridge/ton';
import type { NanopayConfig } from '../config';
import { Deployed } from '../deployed';
import { AssetWallet, Chain } from './asset-wallet';
import { ChainLooks } from './chain-looks';

const { openPayout, closePayout } = teeMoneyApi.operations;
const portion = 1_000;
// No block takes a message that long after its end.
const marginS = 300;
const noCode = -13;

/**
 * Brings to the chain what the enclave has signed, and tells it what became of it. The enclave has one payout under way and
 * gives out the same until its end is known: sending it again is harmless, since the wallet takes each message once.
 */
@Injectable()
export class PayoutsWorker extends ChainLooks {
  /** How far the transactions of the wallet were looked through for this payout. */
  private seen: { number: number; lt: bigint } | undefined;
  /** Before the last payout that was found there: the next comes later. */
  private passedLt = 0n;

  constructor(
    chain: Chain,
    private readonly wallet: AssetWallet,
    private readonly deployed: Deployed,
    private readonly client: BusClient,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) { NANOPAY_CHAIN_LOOK_MS: lookMs }: NanopayConfig,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    super(chain, lookMs, (error) =>
      logger.warn({ err: error }, 'payouts could not be followed; trying again'),
    );
  }

  protected async look(reader: TonAccountReader): Promise<'more' | 'done'> {
    const { verifyingContract } = this.deployed.deployment;
    const { address, balanceAtomic } = await this.wallet.read(reader);
    const { exitCode } = await reader.runGetMethod(verifyingContract, 'get_timeout');
    const opening = { assetWallet: address, reserve: balanceAtomic.toString(), isFirst: exitCode === noCode };
    const { payout } = await this.client.call(openPayout, opening);
    if (!payout) return 'done';
    const outcome = await this.outcomeOf(reader, payout);
    if (outcome === undefined) {
      await this.send(reader, payout);
      return 'done';
    }
    await this.client.call(closePayout, { number: payout.number, outcome });
    this.logger.info({ payout: payout.number, outcome }, 'the chain has decided about a payout');
    return 'more';
  }

  /** Undefined as long as it may still be carried out. */
  private async outcomeOf(
    reader: TonAccountReader,
    payout: OpenPayout,
  ): Promise<'completed' | 'failed' | undefined> {
    const { verifyingContract } = this.deployed.deployment;
    const { queryId, validUntilS } = payout;
    const outcome = await this.batchOf(reader, payout);
    if (outcome) return outcome.state === 'sent' ? 'completed' : 'failed';
    if (this.clock.now() / 1000 <= validUntilS + marginS) return undefined;
    // What was taken shows above, some time: only what was never taken has failed.
    return (await isProcessed(reader, verifyingContract, queryId)) ? undefined : 'failed';
  }

  /** Among all that the wallet has done since, each looked at once: strangers may send it as many messages as they like. */
  private async batchOf(
    reader: TonAccountReader,
    { number, queryId, afterLt, createdAtS }: OpenPayout,
  ): Promise<BatchOutcome | undefined> {
    const { verifyingContract } = this.deployed.deployment;
    if (this.seen?.number !== number) this.seen = { number, lt: laterOf(BigInt(afterLt), this.passedLt) };
    for (;;) {
      const lt: bigint = this.seen.lt;
      const { transactions, hasMore } = await reader.getTransactions(verifyingContract, lt, portion);
      const since = transactions.filter(({ at }) => at.getTime() / 1000 >= createdAtS);
      const found = since.flatMap((transaction) => batchOutcome(transaction) ?? []);
      const outcome = found.find((batch) => batch.queryId === queryId);
      if (outcome) {
        this.passedLt = lt;
        return outcome;
      }
      this.seen = { number, lt: transactions.at(-1)?.lt ?? lt };
      if (!hasMore) return undefined;
    }
  }

  /** Whether it was taken shows in the wallet. */
  private async send(reader: TonAccountReader, { number, boc }: OpenPayout): Promise<void> {
    try {
      await reader.sendBoc(Buffer.from(boc, 'base64'));
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      this.logger.info({ payout: number, kind: error.kind }, 'a payout was not taken, or perhaps before');
    }
  }
}

const laterOf = (one: bigint, other: bigint): bigint => (one > other ? one : other);
