import { Inject, Injectable } from '@nestjs/common';
import { teeMoneyApi, type OpenPayout } from '@tollbridge/contracts';
import { BusClient } from '@tollbridge/rpc';
import type { Logger } from '@tollbridge/observability';
import { ProviderError } from '@tollbridge/http';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import type { TonAccountReader } from '@tollbridge/ton';
import type { NanopayConfig } from '../config';
import { Chain } from './asset-wallet';
import { ChainPoller, type Polled } from './chain-poller';
import { Coins } from './coins';
import { PayoutContract } from './payout-contract';

const { openPayout, closePayout } = teeMoneyApi.operations;

/**
 * Sends signed payouts to the chain and reports their outcome to the payment ledger service, which has one payout in
 * flight. Sending a payout twice is harmless, because the wallet contract accepts each message once.
 */
@Injectable()
export class PayoutsWorker extends ChainPoller {
  constructor(
    chain: Chain,
    private readonly contract: PayoutContract,
    private readonly client: BusClient,
    private readonly coins: Coins,
    @Inject(ServiceConfig) { NANOPAY_CHAIN_LOOK_MS: pollMs }: NanopayConfig,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    super(chain, pollMs, (error) => logger.warn({ err: error }, 'payout poll failed, retrying'));
  }

  protected async poll(reader: TonAccountReader): Promise<Polled> {
    const opening = await this.contract.opening(reader);
    if (!opening) return 'more';
    const { payout, neededCoins, isShort } = await this.client.call(openPayout, opening);
    const hasCoins = () => this.coins.hasEnough(BigInt(opening.coins), BigInt(neededCoins));
    if (!payout) return hasCoins() && !isShort ? 'idle' : 'later';
    const outcome = await this.contract.outcomeOf(reader, payout);
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

  /** @returns false if the broadcast failed or its outcome is unknown; the wallet shows the outcome later */
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
