import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  hashed,
  maxSettlementHashes,
  type ChannelOutcome,
  type Outcome,
  type Rejection,
  type SettleItem,
} from '@tollbridge/nanopay-protocol';
import { Clock } from '@tollbridge/database';
import type { Channel } from '../ledger/rules/channel';
import { KeyedQueue } from '../ledger/keyed-queue';
import { LedgerRepository } from '../ledger/storage/ledger.repository';
import { LedgerUnavailable, LedgerWriter } from '../ledger/storage/ledger-writer';
import type { Payment } from '../ledger/rules/payment';
import { rejected } from './outcomes';

/** More hashes than this run in a separate turn of the event loop. */
const fewHashes = 32;
const noReceipt = { seq: 0n, unixMs: 0n, previousHead: Buffer.alloc(32), signature: Buffer.alloc(64) };
const wrongChannel = 'invalid_ton_nanopay_channel';

/** Settles channels by their last links, and replies after the commit. */
@Injectable()
export class ChannelSettlements {
  private readonly hashing = new KeyedQueue();

  constructor(
    private readonly writer: LedgerWriter,
    private readonly repository: LedgerRepository,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async settle(item: SettleItem): Promise<Outcome> {
    const hold = this.writer.ready().findHeld(item.confirmationId);
    if (!hold?.channel) return this.closed(item);
    if (!hold.callKey.equals(item.callKey)) return rejected('invalid_transaction_state');
    const { index, link } = hold.channel;
    const rejection = await this.checkLink(item, hold.channel);
    if (rejection) return rejected(rejection);
    const ledger = await this.writer.with([hold.payer, hold.seller]);
    // The link was verified against the last link at that time.
    const isSame = ledger.findHeld(item.confirmationId) === hold && hold.channel.index === index;
    if (!isSame || !hold.channel.link.equals(link))
      throw new LedgerUnavailable('the channel changed while its link was verified');
    const charge = ledger.settle(hold, item, this.clock.now());
    return this.settled(hold, hold.channel, charge);
  }

  /** Returns the reason why the link or the units do not belong to the channel. */
  private async checkLink(
    item: SettleItem,
    // Copied values, because another settlement may change both while this one waits.
    { index, link, length }: Channel,
  ): Promise<Rejection | undefined> {
    const steps = item.index - index;
    if (steps > maxSettlementHashes || item.index > length) return wrongChannel;
    if (item.units > Math.max(item.index, index)) return 'invalid_ton_nanopay_amount_mismatch';
    // A later link was settled already.
    if (steps < 0) return undefined;
    const isNext =
      steps <= fewHashes
        ? hashed(item.link, steps).equals(link)
        : await this.hashing.run('', () => this.isNextLater(item, steps, link));
    return isNext ? undefined : wrongChannel;
  }

  /** Verifies in a later turn, so that a frame of long steps does not block the payments of others. */
  private async isNextLater({ link }: SettleItem, steps: number, last: Buffer): Promise<boolean> {
    await nextTurn();
    return hashed(link, steps).equals(last);
  }

  /** Returns the outcome of this decision. Later decisions are not part of its commit. */
  private async settled(hold: Payment, channel: Channel, charge: Payment | undefined): Promise<Outcome> {
    const outcome = outcomeOf(hold, channel, charge);
    await this.writer.committed();
    if (charge) outcome.signature = charge.receipt!.signature!;
    return outcome;
  }

  /** Returns the state of a channel without an open hold. */
  private async closed({ confirmationId, callKey }: SettleItem): Promise<Outcome> {
    // The release may not be in the database yet.
    await this.writer.committed();
    const [payment, channel] = await Promise.all([
      this.repository.payment(confirmationId),
      this.repository.channel(confirmationId),
    ]);
    if (!payment?.callKey.equals(callKey) || !channel) return rejected('invalid_transaction_state');
    if (payment.state === 'held') throw new LedgerUnavailable('the channel is being loaded');
    return outcomeOf(payment, channel, undefined);
  }
}

function outcomeOf(hold: Payment, channel: Channel, charge: Payment | undefined): ChannelOutcome {
  const { seq, unixMs, previousHead } = charge ?? noReceipt;
  return {
    status: 'settled',
    digest: charge?.digest ?? hold.digest,
    amountAtomic: charge?.chargedAtomic ?? 0n,
    seq,
    unixMs,
    previousHead,
    signature: noReceipt.signature,
    units: channel.units,
    endMs: BigInt(channel.endMs),
    isOpen: channel.isOpen,
  };
}
