import { priceEntities } from '@tollbridge/prices';
import { QuoteRow } from './quotes/quotes.entity';
import { NonceClaimRow } from './transactions/sending/nonce-claims.entity';
import { QuoteSetRow } from './transactions/storage/quote-sets.entity';
import { SetRow } from './transactions/storage/sets.entity';

/** The entities of every table of this app except those of libs/platform/database. */
export const entities = [QuoteRow, SetRow, NonceClaimRow, QuoteSetRow, ...priceEntities];
