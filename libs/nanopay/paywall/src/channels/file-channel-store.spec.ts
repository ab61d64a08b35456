import fs from 'node:fs';
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileChannelStore } from './file-channel-store';
import { readLogFrames } from './log-frames';

const owner = (digit: number): string => String(digit).repeat(16);
const bytes = (text: string): Buffer => Buffer.from(text);
const growBytes = 8 * 1024 * 1024;

type Write = (
  fd: number,
  batch: Buffer,
  from: number,
  length: number,
  at: number,
  done: (error: Error | null, count: number) => void,
) => void;

/** Simulates a full disk: the next write is partial, and all later writes fail. */
function fillDisk(): jest.SpyInstance {
  const { write } = fs;
  let isFirst = true;
  const spied = jest.spyOn(fs, 'write') as unknown as jest.SpyInstance<void, Parameters<Write>>;
  return spied.mockImplementation((fd, batch, from, length, at, done) => {
    if (!isFirst)
      return done(Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }), 0);
    isFirst = false;
    (write as Write)(fd, batch, from, Math.ceil(length / 2), at, done);
  });
}

describe('FileChannelStore', () => {
  let folder: string;
  let opened: FileChannelStore[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'channels-'));
    opened = [];
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const store of opened) await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function storeOf(digit: number): Promise<FileChannelStore> {
    const store = new FileChannelStore({ folder });
    await store.open(owner(digit));
    opened.push(store);
    return store;
  }
  const takenBy = async (store: FileChannelStore) =>
    (await store.takeOver(0)).map((log) => ({ ...log, batches: log.batches.map(String) }));

  it('returns the log of an ended process to one successor, in order', async () => {
    const first = await storeOf(1);
    await first.append(bytes('a'));
    await first.append(bytes('b'));
    const [second, third] = [await storeOf(2), await storeOf(3)];
    expect(await takenBy(second)).toEqual([]);
    await first.close();
    const taken = (await Promise.all([takenBy(second), takenBy(third)])).flat();
    expect(taken).toMatchObject([{ owner: owner(1), batches: ['a', 'b'] }]);
    await taken[0]!.drop();
    expect(await readdir(folder)).toEqual([owner(2), owner(3)]);
  });

  it("returns a log that the ended process had taken over but not dropped, before that process's own log", async () => {
    const first = await storeOf(1);
    await first.append(bytes('old'));
    await first.close();
    const second = await storeOf(2);
    await second.append(bytes('own'));
    expect(await takenBy(second)).toHaveLength(1);
    await second.append(bytes('adopted'));
    await second.close();
    expect(await takenBy(await storeOf(3))).toMatchObject([{ batches: ['old', 'own', 'adopted'] }]);
  });

  it('replaces a log by a snapshot, and appends after it', async () => {
    const first = await storeOf(1);
    await first.append(bytes('a'));
    await first.replace(bytes('snapshot'));
    await first.append(bytes('b'));
    expect((await readdir(join(folder, owner(1)))).filter((name) => name.startsWith('log-'))).toEqual([
      'log-00000001',
    ]);
    await first.close();
    expect(await takenBy(await storeOf(2))).toMatchObject([{ batches: ['snapshot', 'b'] }]);
  });

  it('ignores an unfinished snapshot and a torn last batch', async () => {
    const first = await storeOf(1);
    await first.append(bytes('a'));
    await first.close();
    await writeFile(join(folder, owner(1), 'next'), 'half');
    await appendFile(join(folder, owner(1), 'log-00000000'), Buffer.from('6e706331', 'hex'));
    expect(await takenBy(await storeOf(2))).toMatchObject([{ batches: ['a'] }]);
  });

  it('renames a damaged log, and reports it once', async () => {
    const first = await storeOf(1);
    for (const text of ['a', 'b']) await first.append(bytes(text));
    await first.close();
    const path = join(folder, owner(1), 'log-00000000');
    const log = await readFile(path);
    log[12]! ^= 1;
    await writeFile(path, log);
    const second = await storeOf(2);
    await expect(second.takeOver(0)).rejects.toThrow('damaged');
    expect(await second.takeOver(0)).toEqual([]);
    expect(await readdir(folder)).toContain(`damaged-${owner(1)}`);
  });

  it('leaves the log of a process that has just ended to its replacement', async () => {
    const [first, second] = [await storeOf(1), await storeOf(2)];
    await first.append(bytes('a'));
    await first.close();
    expect(await second.takeOver(50)).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await second.takeOver(50)).toHaveLength(1);
  });

  it('does not take over a process that is starting', async () => {
    const second = await storeOf(2);
    const first = await storeOf(1);
    await rm(join(folder, owner(1), 'alive.sock'));
    expect(await second.takeOver(0)).toEqual([]);
    await first.append(bytes('a'));
  });

  it('rejects a batch after it is closed', async () => {
    const store = await storeOf(1);
    await store.close();
    await expect(store.append(bytes('a'))).rejects.toThrow('closed');
  });

  it('keeps durable records on a full disk, and continues after a snapshot', async () => {
    const first = await storeOf(1);
    await first.append(bytes('a'));
    const disk = fillDisk();
    await expect(first.append(bytes('torn, and longer than its half'))).rejects.toThrow('full');
    await expect(first.replace(bytes('snapshot'))).rejects.toThrow('no space');
    expect(await readdir(join(folder, owner(1)))).not.toContain('next');
    const log = await readFile(join(folder, owner(1), 'log-00000000'));
    expect(readLogFrames(log).map(String)).toEqual(['a']);
    disk.mockRestore();
    await first.replace(bytes('snapshot'));
    await first.append(bytes('b'));
    await first.close();
    expect(await takenBy(await storeOf(2))).toMatchObject([{ batches: ['snapshot', 'b'] }]);
  });

  it('returns the durable records to a successor after it is closed on a full disk', async () => {
    const first = await storeOf(1);
    await first.append(bytes('a'));
    const disk = fillDisk();
    await expect(first.append(bytes('torn, and longer than its half'))).rejects.toThrow('full');
    await first.close();
    disk.mockRestore();
    expect(await takenBy(await storeOf(2))).toMatchObject([{ batches: ['a'] }]);
  });

  it('uses its allocated space, and leaves the rest of a full disk to others', async () => {
    const first = await storeOf(1);
    const half = Buffer.alloc(growBytes / 2 + 1);
    const full = fillDisk().mockImplementation((...given: unknown[]) => {
      const [fd, batch, from, length, at, done] = given as Parameters<Write>;
      if (length === growBytes) done(new Error('ENOSPC: no space left on device'), 0);
      else done(null, fs.writeSync(fd, batch, from, length, at));
    });
    await first.append(half);
    await first.append(bytes('a'));
    await expect(first.append(half)).rejects.toThrow('no space');
    expect((await stat(join(folder, owner(1), 'log-00000000'))).size).toBe(growBytes);
    full.mockRestore();
    await first.append(half);
  });

  it('can be opened again after the disk had no space for a log', async () => {
    const store = new FileChannelStore({ folder });
    const disk = fillDisk();
    await expect(store.open(owner(1))).rejects.toThrow('full');
    expect(await readdir(folder)).toEqual([]);
    disk.mockRestore();
    opened.push(store);
    await store.open(owner(1));
    await store.append(bytes('a'));
    await store.close();
    expect(await takenBy(await storeOf(2))).toMatchObject([{ batches: ['a'] }]);
  });

  it('returns an undamaged log although another log is damaged', async () => {
    for (const digit of [1, 2, 3]) {
      const store = await storeOf(digit);
      for (const text of ['a', 'b']) await store.append(bytes(text));
      await store.close();
    }
    const path = join(folder, owner(2), 'log-00000000');
    const log = await readFile(path);
    log[12]! ^= 1;
    await writeFile(path, log);
    const store = await storeOf(4);
    const owners = (await takenBy(store)).map((log) => log.owner);
    expect(owners.sort()).toEqual([owner(1), owner(3)]);
    await expect(store.takeOver(0)).rejects.toThrow('damaged');
    expect(await store.takeOver(0)).toEqual([]);
  });
});
