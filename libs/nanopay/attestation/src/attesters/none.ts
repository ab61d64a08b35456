import type { Attester } from './attester';
import { loadOrCreateSeed, loadSeed } from './seed-file';

export interface UnattestedOptions {
  seedFile: string;
  /** Creates a missing seed file, for sandboxes. In production, a new key would invalidate all receipts. */
  createsSeed: boolean;
}

/** Attester without hardware: documents are not attested, and the key is derived from a seed file. */
export const unattested = ({ seedFile, createsSeed }: UnattestedOptions): Attester => ({
  mode: 'none',
  quote: async () => null,
  keySeed: () => (createsSeed ? loadOrCreateSeed(seedFile) : loadSeed(seedFile)),
});
