import type { Attester } from './attester';
import { loadOrCreateSeed, loadSeed } from './seed-file';

export interface UnattestedOptions {
  seedFile: string;
  /** Creates a file that is missing, as a sandbox does; elsewhere a new key would invalidate all receipts. */
  createsSeed: boolean;
}

/** Without hardware: documents are not attested, and the key is stored in a file. */
export const unattested = ({ seedFile, createsSeed }: UnattestedOptions): Attester => ({
  mode: 'none',
  quote: async () => null,
  keySeed: () => (createsSeed ? loadOrCreateSeed(seedFile) : loadSeed(seedFile)),
});
