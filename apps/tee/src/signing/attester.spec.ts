import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TeeConfig } from '../config';
import { openAttester } from './attester';

const folder = mkdtempSync(join(tmpdir(), 'tee-seed-'));
const file = join(folder, 'tee.key');
afterAll(() => rmSync(folder, { recursive: true }));

const seedIn = async (environment: string): Promise<Buffer> => {
  const config = { environment, TEE_ATTESTATION: 'none', TEE_DSTACK_ENDPOINT: '', TEE_KEY_FILE: file };
  return (await openAttester(config as TeeConfig)).keySeed!();
};

describe('openAttester without hardware', () => {
  it.each(['test', 'production'])(
    'rejects a missing seed file in %s, and creates none',
    async (environment) => {
      await expect(seedIn(environment)).rejects.toThrow(`the seed file ${file} is missing`);
      expect(existsSync(file)).toBe(false);
    },
  );

  it('reads a given seed file in every environment, and creates one in the sandbox', async () => {
    const created = await seedIn('sandbox');
    expect(created).toHaveLength(32);
    expect(await seedIn('production')).toEqual(created);
    writeFileSync(file, 'ab'.repeat(32));
    expect(await seedIn('production')).toEqual(Buffer.alloc(32, 0xab));
  });
});
