import { PurchaseRow } from './purchases/purchases.entity';

/** The entities of every table that this app owns. */
export const entities = [PurchaseRow];
