import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { ChainNodes } from '../../chains/chain-nodes';
import { MerchantDefaults } from '../../settings/merchant-defaults';
import type { PaymentRequest } from '../payment';
import { PaymentRequestsRepository } from './payment-requests.repository';

/**
 * Finds the receiving address of payment requests that were created without one. The merchant adds the address later,
 * in the settings or by a proof. The first payment fixes the address.
 */
@Injectable()
export class RequestReceivers {
  constructor(
    private readonly requests: PaymentRequestsRepository,
    private readonly defaults: MerchantDefaults,
    private readonly chains: ChainNodes,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** The requests with their current address; null while they have none. */
  async resolve<R extends PaymentRequest>(requests: readonly R[]): Promise<R[]> {
    const known = new Map<string, Promise<string | undefined>>();
    const addressOf = ({ wallet, chain }: R): Promise<string | undefined> => {
      const key = `${wallet} ${chain}`;
      const found = known.get(key) ?? this.defaults.findReceiver(wallet, this.chains.find(chain)!);
      known.set(key, found);
      return found;
    };
    return Promise.all(
      requests.map(async (request) => {
        if (request.receiveAddress !== null) return request;
        return { ...request, receiveAddress: (await addressOf(request)) ?? null };
      }),
    );
  }

  /** @throws DomainError CONFLICT while the request has no address */
  async fix<R extends PaymentRequest>(request: R): Promise<R & { receiveAddress: string }> {
    const [resolved] = await this.resolve([request]);
    const { receiveAddress } = resolved!;
    if (receiveAddress === null) throw new DomainError('CONFLICT', withoutReceiver);
    if (request.receiveAddress !== null) return { ...request, receiveAddress };
    const fixed = await this.requests.fixReceiver(request.id, receiveAddress, this.clock.now());
    return { ...request, receiveAddress: fixed.receiveAddress! };
  }
}

const withoutReceiver =
  'This cannot be paid yet: the merchant has not named an address to receive it. Ask the merchant, then retry.';
