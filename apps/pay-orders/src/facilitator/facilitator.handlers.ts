import { Controller } from '@nestjs/common';
import {
  facilitatorApi,
  type FacilitatedKindsReply,
  type FacilitatedPaymentRequest,
  type FacilitatedSettleReply,
  type FacilitatedSettleRequest,
  type FacilitatedVerifyReply,
  type ReceivedSettlementsReply,
  type ReceivedSettlementsRequest,
  type SettlementOfReply,
} from '@tollbridge/contracts';
import { Handles } from '@tollbridge/rpc';
import { Facilitator } from './facilitator';
import { Rails } from './rails';

@Controller()
@Handles(facilitatorApi)
export class FacilitatorHandlers {
  constructor(
    private readonly facilitator: Facilitator,
    private readonly rails: Rails,
  ) {}

  verifyFacilitated(request: FacilitatedPaymentRequest): Promise<FacilitatedVerifyReply> {
    return this.facilitator.verify(request);
  }

  settleFacilitated(request: FacilitatedSettleRequest): Promise<FacilitatedSettleReply> {
    return this.facilitator.settle(request);
  }

  settlementOf(request: FacilitatedPaymentRequest): Promise<SettlementOfReply> {
    return this.facilitator.settlementOf(request);
  }

  receivedSettlements(request: ReceivedSettlementsRequest): Promise<ReceivedSettlementsReply> {
    return this.facilitator.receivedSettlements(request);
  }

  async facilitatedKinds(): Promise<FacilitatedKindsReply> {
    const { all } = this.rails;
    const kinds = await Promise.all(all.map(async (rail) => rail.kinds()));
    return {
      kinds: kinds.flat(),
      signers: all.flatMap((rail) => rail.signers()),
    };
  }
}
