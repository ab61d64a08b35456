import { Inject, Injectable } from '@nestjs/common';
import type { OpenPayout, PayoutOpening } from '@tollbridge/contracts';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { ServiceLogger } from '@tollbridge/bootstrap';
import { batchHash, batchHashOf, batchOutcome, isProcessed, type TonAccountReader } from '@tollbridge/ton';
import { Deployed } from '../deployment/deployed';
import { AssetWallet } from './asset-wallet';
import { NewestBatch } from './newest-batch';

// No block includes a message this long after its end. Nothing is sent this long before its end, so that even a lagging
// node shows in time whether the message was included.
const marginS = 300;
const noCode = -13;

/** Reads the state of the payout contract from the chain. */
@Injectable()
export class PayoutContract {
  /**
   * The last read, and the states of contract and wallet that it belongs to. The states are undefined after the first
   * read.
   */
  private known: { opening: PayoutOpening; states: string | undefined } | undefined;
  private readonly newest = new NewestBatch();

  constructor(
    private readonly wallet: AssetWallet,
    private readonly deployed: Deployed,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /**
   * Facts of the chain for the next payout. They are read again only after a new transaction of one of the two
   * accounts. Undefined while the newest batch is not found yet.
   */
  async opening(reader: TonAccountReader): Promise<PayoutOpening | undefined> {
    const { verifyingContract } = this.deployed.deployment;
    const { known } = this;
    const accounts = known && [verifyingContract, known.opening.assetWallet];
    // States are read first, so that values which are newer than their state are read once more.
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

  /** The outcome of a payout; `not included` while no block has it and it can still be sent. */
  async outcomeOf(
    reader: TonAccountReader,
    { number, boc, queryId, afterLt, createdAtS, validUntilS }: OpenPayout,
  ): Promise<'completed' | 'failed' | 'pending' | 'not included'> {
    const { verifyingContract } = this.deployed.deployment;
    // Newest first, because anyone may send any number of messages to the wallet.
    for await (const transaction of reader.newestFirst(verifyingContract)) {
      if (transaction.lt <= BigInt(afterLt) || transaction.at.getTime() / 1000 < createdAtS) break;
      const batch = batchOutcome(transaction);
      if (batch?.queryId !== queryId) continue;
      if ((await batchHashOf(transaction)) === (await batchHash(Buffer.from(boc, 'base64'))))
        return batch.state === 'sent' ? 'completed' : 'failed';
      // The ledger has lost a payout: the contract will not accept its query id again while this message is valid.
      this.logger.error({ payout: number, queryId }, 'payout failed: another batch has used its query id');
      return 'failed';
    }
    // An included message will be found above. Only a message that was never included has failed.
    if (await isProcessed(reader, verifyingContract, queryId)) return 'pending';
    const nowS = this.clock.now() / 1000;
    if (nowS > validUntilS + marginS) return 'failed';
    return nowS < validUntilS - marginS ? 'not included' : 'pending';
  }
}
