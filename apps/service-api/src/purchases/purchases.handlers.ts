import { Controller } from '@nestjs/common';
import { purchasesApi, type PurchaseQuery, type PurchaseState } from '@tollbridge/contracts';
import { DomainError, Handles, isUuid } from '@tollbridge/rpc';
import { PurchasesRepository } from './purchases.repository';

@Controller()
@Handles(purchasesApi)
export class PurchasesHandlers {
  constructor(private readonly purchases: PurchasesRepository) {}

  async stateOfPurchase({ id }: PurchaseQuery): Promise<PurchaseState> {
    const purchase = isUuid(id) ? await this.purchases.find(id) : undefined;
    if (!purchase) throw new DomainError('NOT_FOUND', 'The purchase does not exist. Check its id.');
    return { status: purchase.status };
  }
}
