import type { Attester } from './attester';
import { loadOrCreateSeed } from './seed-file';

/** Without hardware: nothing attests, documents say so, and the key is kept in a file. */
export const unattested = ({ seedFile }: { seedFile: string }): Attester => ({
  mode: 'none',
  quote: async () => null,
  keySeed: () => loadOrCreateSeed(seedFile),
});
