import type { Attester } from './attester';
import { loadOrCreateSeed } from './seed-file';

/** Without hardware: documents are not attested, and the key is stored in a file. */
export const unattested = ({ seedFile }: { seedFile: string }): Attester => ({
  mode: 'none',
  quote: async () => null,
  keySeed: () => loadOrCreateSeed(seedFile),
});
