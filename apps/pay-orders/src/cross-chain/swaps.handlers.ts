import { Controller } from '@nestjs/common';
import { swapsApi, type SwapQuery, type SwapReply, type SwapStatusName } from '@tollbridge/contracts';
import { DomainError, Handles } from '@tollbridge/rpc';
import { canonicalPayer } from '@tollbridge/chains';
import type { RouteState } from '@tollbridge/routing';
import { DepositsRepository } from './deposits.repository';

const names: Record<RouteState, SwapStatusName> = {
  waiting: 'pending_deposit',
  seen: 'known_deposit_tx',
  incomplete: 'incomplete_deposit',
  processing: 'processing',
  delivered: 'completed',
  refunded: 'refunded',
  failed: 'failed',
};

@Controller()
@Handles(swapsApi)
export class SwapsHandlers {
  constructor(private readonly deposits: DepositsRepository) {}

  /**
   * Reads the stored state, which the deposit worker updates, so that polling clients cause no requests to the
   * provider.
   */
  async getStatus({ deposit_address, deposit_memo }: SwapQuery): Promise<SwapReply> {
    const found = await this.deposits.findByAddress(spellingsOf(deposit_address), deposit_memo ?? null);
    if (!found)
      throw new DomainError(
        'NOT_FOUND',
        'No deposit has this address and memo. Check deposit_address and memo.',
      );
    return {
      status: names[found.state],
      from_tx: found.deposit_tx ?? found.pay_tx,
      to_tx: found.delivery_tx,
      from_amount: found.amount_in ?? found.deposited,
      deposited_amount: found.deposited,
      to_amount: found.amount_out,
      refunded_amount: found.refunded,
      refund_reason: found.refund_reason,
      order_id: found.order_id,
    };
  }
}

/** As given, canonical, and in lower case, because the stored address has the provider's spelling. */
function spellingsOf(address: string): string[] {
  const canonical = canonicalPayer(address) ?? address;
  return [...new Set([address, canonical, canonical.toLowerCase()])];
}
