import { Inject, Injectable } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { soldQuotesApi, swapQuotesApi, type SwapQuoteRequest } from '@tollbridge/contracts';
import { BusClient, merchantOf, withDerivedKey } from '@tollbridge/rpc';
import { soldAt } from '../sales/prices';
import type { SalesConfig } from '../sales/settings';
import { responseService, type SoldService } from '../sales/sold-services';

// These operations are available only as sales. Other operations provide quotes to payers.
const { operations: sold } = swapQuotesApi;

/** Defines swap quotes as services that are sold for payments. */
@Injectable()
export class SwapSales {
  constructor(
    private readonly bus: BusClient,
    @Inject(ServiceConfig) private readonly config: Pick<SalesConfig, 'SALES_SWAP_QUOTE_USD'>,
  ) {}

  get services(): SoldService[] {
    const price = soldAt(this.config.SALES_SWAP_QUOTE_USD);
    if (!price) return [];
    const { checkQuote, quoteForPayer } = soldQuotesApi.operations;
    const quote = responseService<SwapQuoteRequest>({
      ...price,
      operation: sold.quoteSwap,
      check: (request) => this.bus.call(checkQuote, request),
      run: (request, context) =>
        this.bus.call(
          quoteForPayer,
          { ...request, payer: merchantOf(context) },
          withDerivedKey(context, 'swap-quote'),
        ),
    });
    return [quote];
  }
}
