import { Inject, Injectable } from '@nestjs/common';
import { tokenBalance } from '@tollbridge/evm';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { ServiceLogger } from '@tollbridge/bootstrap';
import { nextAddressCheck } from '../refund';
import { RefundAddressesRepository, type DueAddress } from '../refund-addresses.repository';
import { RefundPlaces } from './refund-places';

const againAfterFailureMs = 5_000;

/** Finds amounts that arrived at the addresses of the refund account. */
@Injectable()
export class RefundArrivals {
  constructor(
    private readonly addresses: RefundAddressesRepository,
    private readonly places: RefundPlaces,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** Leases and reads due addresses. @returns their number */
  async readDue(leaseMs: number, limit: number): Promise<number> {
    const addresses = await this.addresses.takeDue(this.clock.now(), leaseMs, limit);
    await Promise.all(addresses.map((due) => this.read(due)));
    return addresses.length;
  }

  private async read(due: DueAddress): Promise<void> {
    const nowMs = this.clock.now();
    try {
      const { chain, rpc, token } = this.places.find(due.chain, due.token);
      const { height } = await rpc.head();
      const final = Math.max(0, height - chain.confirmations + 1);
      if (final < due.settledHeight) return await this.addresses.postpone(due, nowMs + chain.pollIntervalMs);
      const held = await tokenBalance(rpc, due.address, token.address, final);
      if (held > (token.address === null ? due.leftoverAtomic : 0n))
        await this.addresses.arrived(due.orderId, held, nowMs);
      else await this.addresses.postpone(due, nextAddressCheck(due.sinceMs, nowMs, chain.pollIntervalMs));
    } catch (err) {
      this.logger.warn({ orderId: due.orderId, err }, 'refund address could not be read, retrying');
      await this.addresses.postpone(due, nowMs + againAfterFailureMs);
    }
  }
}
