import { Inject, Injectable } from '@nestjs/common';
import { teeMoneyApi, type OpenPayout } from '@tollbridge/api';
import { BusClient } from '@tollbridge/bus';
import { Clock } from '@tollbridge/data';
import type { Logger } from '@tollbridge/observability';
import { ProviderError } from '@tollbridge/providers';
import { ServiceConfig, ServiceLogger } from '@tollbridge/service';
import { batchOutcome, isProcessed, type TonAccountReader } from '@tollbridge/ton';
import type { NanopayConfig } from '../config';
import { Deployed } from '../deployed';
import { AssetWallet, Chain } from './asset-wallet';
import { ChainLooks } from './chain-looks';

const { openPayout, closePayout } = teeMoneyApi.operations;
// Of the wallet since the message was made: its own batch is among the first.
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
    { queryId, afterLt, createdAtS, validUntilS }: OpenPayout,
  ): Promise<'completed' | 'failed' | undefined> {
    const { verifyingContract } = this.deployed.deployment;
    const { transactions } = await reader.getTransactions(verifyingContract, BigInt(afterLt), portion);
    const since = transactions.filter(({ at }) => at.getTime() / 1000 >= createdAtS);
    const found = since.flatMap((transaction) => batchOutcome(transaction) ?? []);
    const outcome = found.find((batch) => batch.queryId === queryId);
    if (outcome) return outcome.state === 'sent' ? 'completed' : 'failed';
    if (this.clock.now() / 1000 <= validUntilS + marginS) return undefined;
    // What was taken shows above, some time: only what was never taken has failed.
    return (await isProcessed(reader, verifyingContract, queryId)) ? undefined : 'failed';
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
