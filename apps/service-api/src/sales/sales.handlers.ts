import { Controller } from '@nestjs/common';
import {
  salesApi,
  type SaleQuote,
  type SaleReply,
  type SellRequest,
  type SoldCall,
  type SoldReadReply,
  type SoldReadRequest,
} from '@tollbridge/contracts';
import { type CallContext, Handles } from '@tollbridge/rpc';
import { SaleFulfilment } from './sale-fulfilment';
import { SaleOffers } from './sale-offers';
import { Sales } from './sales';

@Controller()
@Handles(salesApi)
export class SalesHandlers {
  constructor(
    private readonly sales: Sales,
    private readonly offers: SaleOffers,
    private readonly fulfilment: SaleFulfilment,
  ) {}

  quoteSale(call: SoldCall): Promise<SaleQuote> {
    return this.offers.quote(call);
  }

  sell(request: SellRequest, context: CallContext): Promise<SaleReply> {
    return this.sales.sell(request, context);
  }

  sellAwaited(request: SellRequest, context: CallContext): Promise<SaleReply> {
    return this.sales.sell(request, context);
  }

  async readSold(
    { operation, input = {}, token }: SoldReadRequest,
    context: CallContext,
  ): Promise<SoldReadReply> {
    return { output: await this.fulfilment.read(operation, input, token, context) };
  }
}
