import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '@tollbridge/database';
import { RefundsRepository, type DueRefund } from '../refunds.repository';
import { BlockedRefunds } from './blocked-refunds';
import { arrivedAmount } from './refund-chain';
import { RefundPlaces, type Attempt } from './refund-places';
import { RefundSending } from './refund-sending';
import { RefundTracking } from './refund-tracking';
import { SenderSearch } from './sender-search';

// A deposit that no node shows after this time does not exist.
const unreadableAfterMs = 60 * 60_000;

/** Advances a refund as far as the chain allows. Each step is stored before the next, and can be repeated. */
@Injectable()
export class RefundForwarding {
  constructor(
    private readonly refunds: RefundsRepository,
    private readonly places: RefundPlaces,
    private readonly senders: SenderSearch,
    private readonly sending: RefundSending,
    private readonly tracking: RefundTracking,
    private readonly blocked: BlockedRefunds,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** @throws RpcError when the chain does not answer; nothing changes, so retry */
  async follow(refund: DueRefund): Promise<void> {
    const attempt = { refund, place: this.places.find(refund.chain, refund.token) };
    if (refund.state === 'arrived') await this.findSender(attempt);
    else if (refund.state === 'ready') await this.sending.send(attempt);
    else await this.tracking.watch(attempt);
  }

  private async findSender(attempt: Attempt): Promise<void> {
    const { refund, place } = attempt;
    const arrived = await arrivedAmount(attempt);
    if (arrived === 0n) return this.blocked.waitForMoney(attempt);
    // An operator may have paid this amount from another account.
    if (refund.isAfterClosed) return this.blocked.leaveToOperator(attempt, 'CLOSED_BEFORE', { arrived });
    const found = await this.senders.find(refund, place, arrived);
    if (found.kind === 'pending') {
      if (this.clock.now() - refund.createdAtMs > unreadableAfterMs)
        return this.blocked.leaveToOperator(attempt, 'DEPOSIT_UNREADABLE');
      return this.blocked.retryLater(attempt, 'the deposit is not final');
    }
    if (found.kind === 'unpayable') return this.blocked.leaveToOperator(attempt, found.reason, { arrived });
    await this.refunds.senderFound(refund, found.sender, arrived);
  }
}
