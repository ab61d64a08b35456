import { priceEntities } from '@tollbridge/prices';
import { QuoteRow } from './quotes/quotes.entity';
import { NonceClaimRow } from './transactions/nonce-claims.entity';
import { QuoteSetRow } from './transactions/quote-sets.entity';
import { SetRow } from './transactions/sets.entity';

/** All entities of this schema; `schema.int.spec.ts` compares them with the migrations. */
export const entities = [QuoteRow, SetRow, NonceClaimRow, QuoteSetRow, ...priceEntities];
