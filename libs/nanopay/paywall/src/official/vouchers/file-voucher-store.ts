import { mkdir, open, readFile, rename, unlink, type FileHandle } from 'node:fs/promises';
import { createServer, connect, type Server } from 'node:net';
import { join } from 'node:path';
import { logFrame, readLogFrames } from '../../channels/log-frames';
import type { StoredChannel, VoucherStore } from './voucher-options';

type Update = Parameters<VoucherStore['updateChannel']>[1];
type Updated = Awaited<ReturnType<VoucherStore['updateChannel']>>;

interface Waiting {
  done(): void;
  failed(error: unknown): void;
}

const channelForm = /^0x[0-9a-f]{64}$/;
/** A larger log is replaced by a snapshot of the channels. */
const maxLogBytes = 16 * 1024 * 1024;

/**
 * Keeps channels in memory and writes their changes to a file of one process. Changes of one turn of the event loop
 * share a write, and an update resolves when it is durable. After a failed write the store rejects further changes.
 */
export class FileVoucherStore implements VoucherStore {
  private readonly channels = new Map<string, StoredChannel>();
  private changed = new Set<string>();
  private waiting: Waiting[] = [];
  private isWriting = false;
  private failure: Error | undefined;
  private byteLength = 0;

  private constructor(
    private readonly folder: string,
    private readonly lock: Server,
    private file: FileHandle,
  ) {}

  /** @throws Error if another process uses the folder, or the log is damaged */
  static async open(folder: string): Promise<FileVoucherStore> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const lock = await lockOf(join(folder, 'lock.sock'));
    try {
      const path = join(folder, 'vouchers.log');
      const batches = readLogFrames(await readFile(path).catch(whenMissing));
      const store = new FileVoucherStore(folder, lock, await open(path, 'a', 0o600));
      for (const batch of batches) store.apply(batch);
      // Rewrite the log, because later batches would be hidden behind an incomplete last batch.
      await store.compact();
      return store;
    } catch (error) {
      lock.close();
      throw error;
    }
  }

  async get(channelId: string): Promise<StoredChannel | undefined> {
    return this.channels.get(keyOf(channelId));
  }

  async list(): Promise<StoredChannel[]> {
    return [...this.channels.values()];
  }

  async updateChannel(channelId: string, update: Update): Promise<Updated> {
    const key = keyOf(channelId);
    if (this.failure) throw this.failure;
    const current = this.channels.get(key);
    const next = update(current);
    if (next === current) return { channel: current, status: 'unchanged' };
    if (next) this.channels.set(key, next);
    else this.channels.delete(key);
    this.changed.add(key);
    await this.written();
    return { channel: next, status: next ? 'updated' : 'deleted' };
  }

  /** Resolves when all changes are durable. Another process can then use the folder. */
  async close(): Promise<void> {
    if (this.isWriting || this.waiting.length > 0) await this.written().catch(() => undefined);
    await this.file.close();
    await new Promise<void>((closed) => this.lock.close(() => closed()));
  }

  private written(): Promise<void> {
    return new Promise<void>((done, failed) => {
      this.waiting.push({ done, failed });
      if (!this.isWriting && this.waiting.length === 1) setImmediate(() => void this.write());
    });
  }

  private async write(): Promise<void> {
    if (this.isWriting) return;
    this.isWriting = true;
    while (this.waiting.length > 0 && !this.failure) await this.writeBatch();
    this.isWriting = false;
  }

  private async writeBatch(): Promise<void> {
    const [waiting, changed] = [this.waiting, this.changed];
    [this.waiting, this.changed] = [[], new Set()];
    try {
      const records = [...changed].map((key) => [key, this.channels.get(key) ?? null]);
      await this.append(Buffer.from(JSON.stringify(records)));
      for (const { done } of waiting) done();
      if (this.byteLength > maxLogBytes) await this.compact();
    } catch (error) {
      // The written part is unknown, so no later change may follow it.
      this.failure = new Error('Vouchers cannot be written.', { cause: error });
      for (const { failed } of [...waiting, ...this.waiting.splice(0)]) failed(this.failure);
    }
  }

  private async append(batch: Uint8Array): Promise<void> {
    const frame = logFrame(batch);
    await this.file.writeFile(frame);
    await this.file.datasync();
    this.byteLength += frame.length;
  }

  private apply(batch: Buffer): void {
    for (const [key, channel] of JSON.parse(batch.toString()) as [string, StoredChannel | null][])
      if (channel) this.channels.set(key, channel);
      else this.channels.delete(key);
  }

  /** Writes a new log and renames it when it is complete and durable. */
  private async compact(): Promise<void> {
    const path = join(this.folder, 'next.log');
    const file = await open(path, 'w', 0o600);
    const frame = logFrame(Buffer.from(JSON.stringify([...this.channels])));
    await file.writeFile(frame);
    await file.sync();
    await rename(path, join(this.folder, 'vouchers.log'));
    const folder = await open(this.folder, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
    await this.file.close();
    // Bounds the counter, so that a log that is large by itself is not rewritten for each change.
    [this.file, this.byteLength] = [file, Math.min(frame.length, maxLogBytes / 2)];
  }
}

/** @throws TypeError for a malformed channel id */
function keyOf(channelId: string): string {
  const key = channelId.toLowerCase();
  if (!channelForm.test(key)) throw new TypeError('invalid_batch_settlement_evm_channel_id_invalid');
  return key;
}

function whenMissing(error: NodeJS.ErrnoException): Buffer {
  if (error.code !== 'ENOENT') throw error;
  return Buffer.alloc(0);
}

/** Locks the folder by a socket. Unlike a lock file, a socket disappears with its process. */
async function lockOf(path: string): Promise<Server> {
  if (await answers(path)) throw new Error('Another process writes vouchers to this folder.');
  await unlink(path).catch(() => undefined);
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(path, listening);
  });
  server.unref();
  return server;
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const end = (isAlive: boolean): void => {
      socket.destroy();
      resolve(isAlive);
    };
    socket.once('connect', () => end(true));
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      end(code !== 'ECONNREFUSED' && code !== 'ENOENT'),
    );
  });
}
