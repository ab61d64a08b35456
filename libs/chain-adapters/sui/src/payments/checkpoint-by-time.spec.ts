import { ScriptedNode } from '../testing/scripted-node';
import { newestBefore } from './checkpoint-by-time';

let chain: ScriptedNode;

beforeEach(() => {
  chain = new ScriptedNode();
  chain.head = 300_000_000;
});

const heightAt = async (timeMs: number, start = 0) => (await newestBefore(chain.node, timeMs, start))?.height;

describe('newestBefore', () => {
  it.each([0, 1, 19, 20, 21, 123_456_789, 299_999_999, 300_000_000])(
    'returns checkpoint %d',
    async (height) => {
      expect(await heightAt(height * 1_000)).toBe(height);
      expect(await heightAt(height * 1_000 + 999)).toBe(height);
      expect(chain.requests).toBeLessThanOrEqual(2 * 9);
    },
  );

  it('returns undefined if all checkpoints are newer than the time', async () => {
    expect(await heightAt(99_999, 100)).toBeUndefined();
    expect(await heightAt(100_000, 100)).toBe(100);
    expect(await heightAt(-1)).toBeUndefined();
  });

  it.each([1_000, 1_001, 299_999_999])(
    'returns checkpoint %d if all checkpoints below 1,000 are pruned',
    async (height) => {
      chain.first = 1_000;
      expect(await heightAt(height * 1_000, 5)).toBe(height);
      expect(chain.requests).toBeLessThanOrEqual(12);
    },
  );

  it('fails if the node has pruned the wanted checkpoint', async () => {
    chain.first = 1_000;
    await expect(heightAt(5_000)).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
