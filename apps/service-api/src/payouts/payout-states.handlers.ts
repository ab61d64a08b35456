import { Controller } from '@nestjs/common';
import { internalPayoutsApi, type PayoutQuery, type PayoutStateReply } from '@tollbridge/contracts';
import { DomainError, Handles, isUuid } from '@tollbridge/rpc';
import { PayoutsRepository } from './payouts.repository';

@Controller()
@Handles(internalPayoutsApi)
export class PayoutStatesHandlers {
  constructor(private readonly payouts: PayoutsRepository) {}

  async stateOfPayout({ id }: PayoutQuery): Promise<PayoutStateReply> {
    const payout = isUuid(id) ? await this.payouts.find(id) : undefined;
    if (!payout) throw new DomainError('NOT_FOUND', 'The payout does not exist. Check its id.');
    return { state: payout.sending?.state ?? null };
  }
}
