import { ApiKeys1795500000000 } from './1795500000000-api-keys';

/** All migrations of this schema, oldest first. */
export const migrations = [ApiKeys1795500000000];
