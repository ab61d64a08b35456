import { Controller } from '@nestjs/common';
import {
  facilitatorApi,
  type FacilitatedKindsReply,
  type FacilitatedPaymentRequest,
  type FacilitatedSettleReply,
  type FacilitatedSettleRequest,
  type FacilitatedVerifyReply,
} from '@tollbridge/contracts';
import { Handles } from '@tollbridge/rpc';
import { EvmFacilitator } from './evm/evm-facilitator';
import { FacilitatorAccount } from './evm/facilitator-account';

@Controller()
@Handles(facilitatorApi)
export class FacilitatorHandlers {
  constructor(
    private readonly facilitator: EvmFacilitator,
    private readonly account: FacilitatorAccount,
  ) {}

  verifyFacilitated(request: FacilitatedPaymentRequest): Promise<FacilitatedVerifyReply> {
    return this.facilitator.verify(request);
  }

  settleFacilitated(request: FacilitatedSettleRequest): Promise<FacilitatedSettleReply> {
    return this.facilitator.settle(request);
  }

  facilitatedKinds(): FacilitatedKindsReply {
    if (!this.account.isActive) return { kinds: [], signers: [] };
    const { address, places } = this.account;
    return {
      kinds: places.flatMap(({ chain: { id: network } }) => [
        { scheme: 'exact', network, extra: {} },
        // Signed by the buyer: only this account can settle the payment.
        { scheme: 'upto', network, extra: { facilitatorAddress: address } },
      ]),
      signers: [{ networks: 'eip155:*', address }],
    };
  }
}
