import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileVoucherStore } from './file-voucher-store';
import type { StoredChannel } from './voucher-options';

const idOf = (digit: string) => `0x${digit.repeat(64)}`;
const charged = (channelId: string, chargedCumulativeAmount: string): StoredChannel => ({
  channelId,
  channelConfig: {},
  chargedCumulativeAmount,
  signedMaxClaimable: chargedCumulativeAmount,
  signature: '0x11',
  balance: '10000',
  totalClaimed: '0',
  withdrawRequestedAt: 0,
  refundNonce: 0,
  lastRequestTimestamp: 0,
});

let folder: string;
let store: FileVoucherStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'voucher-store-'));
  store = await FileVoucherStore.open(folder);
});
afterEach(async () => {
  await store.close().catch(() => undefined);
  await rm(folder, { recursive: true, force: true });
});

const log = () => join(folder, 'vouchers.log');
const set = (digit: string, amount: string) =>
  store.updateChannel(idOf(digit), () => charged(idOf(digit), amount));
const amountOf = async (digit: string) => (await store.get(idOf(digit)))?.chargedCumulativeAmount;
/** Closes the store, applies the change to its log, and opens it like a new process. */
async function restart(change?: (bytes: Buffer) => Buffer): Promise<void> {
  await store.close();
  if (change) await writeFile(log(), change(await readFile(log())));
  store = await FileVoucherStore.open(folder);
}

describe('FileVoucherStore', () => {
  it('writes an update to its file before the update resolves', async () => {
    const before = (await readFile(log())).length;
    await set('a', '1000');
    expect((await readFile(log())).length).toBeGreaterThan(before);
  });

  it('restores all channels after a restart, except deleted ones', async () => {
    await Promise.all([set('a', '1000'), set('b', '2000')]);
    await set('a', '3000');
    expect(await store.updateChannel(idOf('b'), () => undefined)).toMatchObject({ status: 'deleted' });
    await restart();
    expect([await amountOf('a'), await amountOf('b'), (await store.list()).length]).toEqual([
      '3000',
      undefined,
      1,
    ]);
  });

  it('applies concurrent updates of a channel one after the other', async () => {
    await set('a', '0');
    const add = (current?: StoredChannel) =>
      charged(idOf('a'), (BigInt(current!.chargedCumulativeAmount) + 1n).toString());
    await Promise.all(Array.from({ length: 100 }, () => store.updateChannel(idOf('a'), add)));
    await restart();
    expect(await amountOf('a')).toBe('100');
  });

  it('writes nothing for an update without a change', async () => {
    await set('a', '1000');
    const { length } = await readFile(log());
    expect(await store.updateChannel(idOf('a'), (current) => current)).toMatchObject({ status: 'unchanged' });
    expect((await readFile(log())).length).toBe(length);
  });

  it('drops an incomplete last batch', async () => {
    await set('a', '1000');
    await set('a', '2000');
    await restart((bytes) => bytes.subarray(0, bytes.length - 1));
    expect(await amountOf('a')).toBe('1000');
  });

  it('rejects a log that is damaged before its end', async () => {
    await set('a', '1000');
    await set('a', '2000');
    await store.close();
    const bytes = await readFile(log());
    // Damages the first of three batches: the snapshot and the two changes.
    bytes[13]! ^= 1;
    await writeFile(log(), bytes);
    await expect(FileVoucherStore.open(folder)).rejects.toThrow(/damaged/);
  });

  it('rejects a second process', async () => {
    await expect(FileVoucherStore.open(folder)).rejects.toThrow('Another process');
    await restart();
  });

  it('rejects a malformed channel id', async () => {
    await expect(store.get('../x')).rejects.toThrow(TypeError);
    await expect(store.updateChannel('0x1', () => undefined)).rejects.toThrow(TypeError);
  });

  it('rejects further changes after a failed write', async () => {
    await store.close();
    await expect(set('a', '1000')).rejects.toThrow('cannot be written');
    await expect(set('a', '2000')).rejects.toThrow('cannot be written');
    store = await FileVoucherStore.open(folder);
    expect(await amountOf('a')).toBeUndefined();
  });
});
