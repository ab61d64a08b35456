import { Inject, Injectable } from '@nestjs/common';
import { teeMoneyApi, type OpenPayout, type PayoutOpening } from '@tollbridge/contracts';
import { BusClient } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { ProviderError } from '@tollbridge/http';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { batchOutcome, isProcessed, type TonAccountReader } from '@tollbridge/ton';
import type { NanopayConfig } from '../config';
import { Deployed } from '../deployed';
import { AssetWallet, Chain } from './asset-wallet';
import { ChainLooks, type Looked } from './chain-looks';
import { Coins } from './coins';

const { openPayout, closePayout } = teeMoneyApi.operations;
// No block takes a message that long after its end; and for as long before nothing is sent, so that even a node that is
// behind shows by then what was taken.
const marginS = 300;
const noCode = -13;

/**
 * Brings to the chain what the enclave has signed, and tells it what became of it. The enclave has one payout under way and
 * gives out the same until its end is known: sending it again is harmless, since the wallet takes each message once.
 */
@Injectable()
export class PayoutsWorker extends ChainLooks {
  /** What was read last, and of which states of the contract and its wallet; these are unknown the first time. */
  private known: { opening: PayoutOpening; states: string | undefined } | undefined;

  constructor(
    chain: Chain,
    private readonly wallet: AssetWallet,
    private readonly deployed: Deployed,
    private readonly client: BusClient,
    private readonly coins: Coins,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) { NANOPAY_CHAIN_LOOK_MS: lookMs }: NanopayConfig,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    super(chain, lookMs, (error) =>
      logger.warn({ err: error }, 'payouts could not be followed; trying again'),
    );
  }

  protected async look(reader: TonAccountReader): Promise<Looked> {
    const opening = await this.opening(reader);
    const { payout, neededCoins, isShort } = await this.client.call(openPayout, opening);
    const hasCoins = () => this.coins.suffice(BigInt(opening.coins), BigInt(neededCoins));
    if (!payout) return hasCoins() && !isShort ? 'idle' : 'later';
    const outcome = await this.outcomeOf(reader, payout);
    if (outcome === 'under way') return 'done';
    if (outcome === 'not taken') {
      if (await this.send(reader, payout)) return 'done';
      hasCoins();
      return 'later';
    }
    await this.client.call(closePayout, { number: payout.number, outcome });
    this.logger.info({ payout: payout.number, outcome }, 'the chain has decided about a payout');
    return 'more';
  }

  /** What the enclave is told; read anew only where one of the two accounts has had another transaction. */
  private async opening(reader: TonAccountReader): Promise<PayoutOpening> {
    const { verifyingContract } = this.deployed.deployment;
    const { known } = this;
    const accounts = known && [verifyingContract, known.opening.assetWallet];
    // Before what they name: what is read afterwards may be newer, and is read once more then.
    const states = accounts && (await Promise.all(accounts.map((account) => reader.stateOf(account))));
    if (known && states?.join() === known.states) return known.opening;
    const { address, balanceAtomic } = await this.wallet.read(reader);
    const { exitCode } = await reader.runGetMethod(verifyingContract, 'get_timeout');
    const coins = (await reader.getBalance(verifyingContract)).toString();
    const isFirst = exitCode === noCode;
    const opening = { assetWallet: address, reserve: balanceAtomic.toString(), coins, isFirst };
    this.known = { opening, states: states?.join() };
    return opening;
  }

  private async outcomeOf(
    reader: TonAccountReader,
    { queryId, afterLt, createdAtS, validUntilS }: OpenPayout,
  ): Promise<'completed' | 'failed' | 'under way' | 'not taken'> {
    const { verifyingContract } = this.deployed.deployment;
    // From the newest: everybody may send the wallet as many messages as he likes.
    for await (const transaction of reader.newestFirst(verifyingContract)) {
      if (transaction.lt <= BigInt(afterLt) || transaction.at.getTime() / 1000 < createdAtS) break;
      const batch = batchOutcome(transaction);
      if (batch?.queryId === queryId) return batch.state === 'sent' ? 'completed' : 'failed';
    }
    // What was taken shows above, some time: only what was never taken has failed.
    if (await isProcessed(reader, verifyingContract, queryId)) return 'under way';
    const nowS = this.clock.now() / 1000;
    if (nowS > validUntilS + marginS) return 'failed';
    return nowS < validUntilS - marginS ? 'not taken' : 'under way';
  }

  /** False if it was not taken, as far as anybody knows: whether it was shows in the wallet. */
  private async send(reader: TonAccountReader, { number, boc }: OpenPayout): Promise<boolean> {
    try {
      await reader.sendBoc(Buffer.from(boc, 'base64'));
      return true;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      this.logger.info({ payout: number, kind: error.kind }, 'a payout was not taken, or perhaps it was');
      return false;
    }
  }
}
