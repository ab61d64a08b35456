import { Inject, Injectable } from '@nestjs/common';
import { teeMoneyApi, type OpenPayout, type PayoutOpening } from '@tollbridge/contracts';
import { BusClient } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { ProviderError } from '@tollbridge/http';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { batchHash, batchHashOf, batchOutcome, isProcessed, type TonAccountReader } from '@tollbridge/ton';
import type { NanopayConfig } from '../config';
import { Deployed } from '../deployment/deployed';
import { AssetWallet, Chain } from './asset-wallet';
import { ChainPoller, type Polled } from './chain-poller';
import { Coins } from './coins';
import { NewestBatch } from './newest-batch';

const { openPayout, closePayout } = teeMoneyApi.operations;
// No block includes a message this long after its end. Nothing is sent this long before its end, so that a node that
// lags shows in time whether the message was included.
const marginS = 300;
const noCode = -13;

/**
 * Sends signed payouts to the chain and reports their outcome to the payment ledger service, which has one payout in
 * flight. Sending a payout twice is harmless: the wallet contract accepts each message once.
 */
@Injectable()
export class PayoutsWorker extends ChainPoller {
  /** The last read, and the states of contract and wallet that it belongs to; unknown after the first read. */
  private known: { opening: PayoutOpening; states: string | undefined } | undefined;
  private readonly newest = new NewestBatch();

  constructor(
    chain: Chain,
    private readonly wallet: AssetWallet,
    private readonly deployed: Deployed,
    private readonly client: BusClient,
    private readonly coins: Coins,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) { NANOPAY_CHAIN_LOOK_MS: pollMs }: NanopayConfig,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    super(chain, pollMs, (error) => logger.warn({ err: error }, 'payout poll failed, retrying'));
  }

  protected async poll(reader: TonAccountReader): Promise<Polled> {
    const opening = await this.opening(reader);
    if (!opening) return 'more';
    const { payout, neededCoins, isShort } = await this.client.call(openPayout, opening);
    const hasCoins = () => this.coins.hasEnough(BigInt(opening.coins), BigInt(neededCoins));
    if (!payout) return hasCoins() && !isShort ? 'idle' : 'later';
    const outcome = await this.outcomeOf(reader, payout);
    if (outcome === 'pending') return 'done';
    if (outcome === 'not included') {
      if (await this.send(reader, payout)) return 'done';
      hasCoins();
      return 'later';
    }
    await this.client.call(closePayout, { number: payout.number, outcome });
    this.logger.info({ payout: payout.number, outcome }, 'payout finished on the chain');
    return 'more';
  }

  /**
   * Facts of the chain for the next payout; read again only after a new transaction of one of the two accounts.
   * Undefined while the newest batch is not found yet.
   */
  private async opening(reader: TonAccountReader): Promise<PayoutOpening | undefined> {
    const { verifyingContract } = this.deployed.deployment;
    const { known } = this;
    const accounts = known && [verifyingContract, known.opening.assetWallet];
    // States are read first: values that are newer than their state are read once more.
    const states = accounts && (await Promise.all(accounts.map((account) => reader.stateOf(account))));
    if (known && states?.join() === known.states) return known.opening;
    if (!(await this.newest.update(reader, verifyingContract))) {
      this.logger.info('newest batch not found yet, reading older transactions of the contract');
      return undefined;
    }
    const { batch } = this.newest;
    const { address, balanceAtomic } = await this.wallet.read(reader);
    const { exitCode } = await reader.runGetMethod(verifyingContract, 'get_timeout');
    const coins = (await reader.getBalance(verifyingContract)).toString();
    const isFirst = exitCode === noCode;
    const opening = {
      assetWallet: address,
      reserve: balanceAtomic.toString(),
      coins,
      isFirst,
      ...(batch && { newestBatch: batch }),
    };
    this.known = { opening, states: states?.join() };
    return opening;
  }

  private async outcomeOf(
    reader: TonAccountReader,
    { number, boc, queryId, afterLt, createdAtS, validUntilS }: OpenPayout,
  ): Promise<'completed' | 'failed' | 'pending' | 'not included'> {
    const { verifyingContract } = this.deployed.deployment;
    // Newest first: anyone may send the wallet any number of messages.
    for await (const transaction of reader.newestFirst(verifyingContract)) {
      if (transaction.lt <= BigInt(afterLt) || transaction.at.getTime() / 1000 < createdAtS) break;
      const batch = batchOutcome(transaction);
      if (batch?.queryId !== queryId) continue;
      if ((await batchHashOf(transaction)) === (await batchHash(Buffer.from(boc, 'base64'))))
        return batch.state === 'sent' ? 'completed' : 'failed';
      // A payout that the ledger has lost: the contract will not accept its query id again while this message is valid.
      this.logger.error({ payout: number, queryId }, 'payout failed: another batch has used its query id');
      return 'failed';
    }
    // An included message will show above; only one that was never included has failed.
    if (await isProcessed(reader, verifyingContract, queryId)) return 'pending';
    const nowS = this.clock.now() / 1000;
    if (nowS > validUntilS + marginS) return 'failed';
    return nowS < validUntilS - marginS ? 'not included' : 'pending';
  }

  /** @returns false if the broadcast failed or its outcome is unknown; the wallet shows it later */
  private async send(reader: TonAccountReader, { number, boc }: OpenPayout): Promise<boolean> {
    try {
      await reader.sendBoc(Buffer.from(boc, 'base64'));
      return true;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      this.logger.info({ payout: number, kind: error.kind }, 'payout broadcast outcome unknown');
      return false;
    }
  }
}
