import { mkdir, open, readdir, readFile, rename, rm, unlink, type FileHandle } from 'node:fs/promises';
import { constants, write } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join, relative, resolve } from 'node:path';
import type { AbandonedLog, ChannelStore } from './channel-store';
import { logFrame, readLogFrames } from './log-frames';

export interface FileChannelStoreOptions {
  /** A folder on a local disk, shared by the processes of one seller on one machine. */
  folder: string;
}

/** Longest path of a Unix socket that all systems support. */
const maxSocketChars = 100;
const socketName = 'alive.sock';
const newSocketName = 'new.sock';
/** An empty file. It is renamed when the process ends, because a rename needs no disk space. */
const startedName = 'started';
const endedName = 'ended';
/** The log grows in steps of this size. */
const growBytes = 8 * 1024 * 1024;
/** Pause between attempts to grow the log in advance on a full disk. */
const growEveryMs = 1_000;
const logForm = /^log-(\d{8})$/;
const ownForm = /^[0-9a-f]{16}$/;

/**
 * Stores logs in files: `<folder>/<owner>/log-<number>`. A socket in the folder of each process shows the others
 * whether it is alive. A process takes over the log of an ended process by moving its folder into its own folder. Only
 * one process can move it. If that process ends too, one successor receives both logs.
 */
export class FileChannelStore implements ChannelStore {
  private readonly folder: string;
  private owner = '';
  private own = '';
  private server: Server | undefined;
  private file: FileHandle | undefined;
  private number = 0;
  private offset = 0;
  private allocated = 0;
  private growing: Promise<void> | undefined;
  private growAfterMs = 0;
  /** Errors of logs that could not be read and have not been reported yet. */
  private readonly unreadable: unknown[] = [];
  /** Times when ended processes were first seen, on the clock of `performance.now()`. */
  private readonly ended = new Map<string, number>();

  constructor({ folder }: FileChannelStoreOptions) {
    this.folder = resolve(folder);
  }

  async open(owner: string): Promise<void> {
    this.owner = owner;
    this.own = join(this.folder, owner);
    try {
      // Create the socket before the log, because a folder without a socket is never taken over.
      await mkdir(this.own, { recursive: true, mode: 0o700 });
      this.server = await listenAt(this.own);
      await (await open(join(this.own, startedName), 'w')).close();
      this.file = await open(join(this.own, nameOf(this.number)), writeFlags, 0o600);
      await this.grow(this.file);
      await syncFolder(this.own);
      await syncFolder(this.folder);
    } catch (error) {
      await this.discard();
      throw error;
    }
  }

  /** Removes the folder of a log that has no records yet. */
  private async discard(): Promise<void> {
    await this.file?.close();
    this.file = undefined;
    this.server?.close();
    this.server = undefined;
    await rm(this.own, { recursive: true, force: true }).catch(() => undefined);
  }

  async append(batch: Uint8Array): Promise<void> {
    if (!this.file) throw new Error('The store of channels is closed.');
    const frame = logFrame(batch);
    const end = this.offset + frame.length;
    while (end > this.allocated) await this.grow(this.file);
    await writeAt(this.file, frame, this.offset);
    this.offset = end;
    // Grow in advance, because writing zeros takes longer than writing a batch.
    const isLow = this.allocated - end < growBytes / 2 && performance.now() >= this.growAfterMs;
    if (isLow) this.grow(this.file).catch(() => (this.growAfterMs = performance.now() + growEveryMs));
  }

  /** Writes zeros ahead of the log. A batch then changes no file metadata, which would cost several times as much. */
  private grow(file: FileHandle): Promise<void> {
    const { allocated } = this;
    this.growing ??= writeAt(file, Buffer.alloc(growBytes), allocated)
      .then(
        () => void (this.allocated += growBytes),
        async (error: unknown) => {
          // Undo a partial write, which would leave no space for other processes on the disk.
          await file.truncate(allocated).catch(() => undefined);
          throw error;
        },
      )
      .finally(() => (this.growing = undefined));
    return this.growing;
  }

  /** Renames the new file when it is complete. Readers use the file with the highest number. */
  async replace(batch: Uint8Array): Promise<void> {
    await this.growing?.catch(() => undefined);
    const [former, formerNumber] = [this.file, this.number];
    if (!former) throw new Error('The store of channels is closed.');
    const frame = logFrame(batch);
    const path = join(this.own, 'next');
    const file = await open(path, writeFlags, 0o600);
    try {
      const allocated = Math.ceil((frame.length + 1) / growBytes) * growBytes;
      await writeAt(file, Buffer.concat([frame, Buffer.alloc(allocated - frame.length)]), 0);
      await rename(path, join(this.own, nameOf(formerNumber + 1)));
      await syncFolder(this.own);
      Object.assign(this, { file, number: formerNumber + 1, offset: frame.length, allocated });
    } catch (error) {
      await file.close();
      await unlink(path).catch(() => undefined);
      throw error;
    }
    // The new file is already the valid one.
    await former.close().catch(() => undefined);
    await unlink(join(this.own, nameOf(formerNumber))).catch(() => undefined);
  }

  async takeOver(afterMs: number): Promise<AbandonedLog[]> {
    const logs: AbandonedLog[] = [];
    for (const owner of await readdir(this.folder)) {
      if (owner === this.owner || !ownForm.test(owner) || (await isAlive(join(this.folder, owner)))) continue;
      const endedMs = this.ended.get(owner) ?? performance.now();
      this.ended.set(owner, endedMs);
      if (performance.now() - endedMs < afterMs) continue;
      this.ended.delete(owner);
      // An unreadable log must not discard the logs that are already claimed.
      const log = await this.claim(owner).catch((error: unknown) => void this.unreadable.push(error));
      if (log) logs.push(log);
    }
    if (logs.length === 0 && this.unreadable.length > 0) throw this.unreadable.shift();
    return logs;
  }

  private async claim(owner: string): Promise<AbandonedLog | undefined> {
    const claimed = join(this.own, owner);
    try {
      await rename(join(this.folder, owner), claimed);
    } catch (error) {
      // Another process has claimed the folder first.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    const drop = (): Promise<void> => rm(claimed, { recursive: true, force: true });
    try {
      return { owner, batches: await readLog(claimed), drop };
    } catch (error) {
      // Keep the folder for the operator, where other processes ignore it.
      await rename(claimed, join(this.folder, `damaged-${owner}`));
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.growing?.catch(() => undefined);
    await this.file?.close();
    this.file = undefined;
    if (!this.server) return;
    // Mark the end before the socket closes. A log without a socket would look like a process that is starting.
    await rename(join(this.own, startedName), join(this.own, endedName));
    this.server.close();
    this.server = undefined;
  }
}

/** With O_DSYNC a write returns when it is durable, which takes one call instead of two. */
const writeFlags = constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC | constants.O_DSYNC;

/** Uses the callback API, because promises of file handles cost more. A partial write means a full disk. */
function writeAt({ fd }: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  return new Promise((written, reject) => {
    write(fd, bytes, 0, bytes.length, at, (error, count) => {
      if (error) reject(error);
      else if (count === bytes.length) written();
      else reject(new Error('The disk is full.'));
    });
  });
}

const nameOf = (number: number): string => `log-${String(number).padStart(8, '0')}`;

/** Whether the process of this folder may still write. */
async function isAlive(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((): string[] => []);
  if (names.includes(endedName)) return false;
  // A process without a socket is starting.
  return !names.includes(socketName) || answers(join(folder, socketName));
}

/** Reads the logs that the process had taken over first, because its own log is newer. */
async function readLog(folder: string): Promise<Buffer[]> {
  const names = await readdir(folder);
  const batches: Buffer[] = [];
  for (const owner of names.filter((name) => ownForm.test(name)))
    batches.push(...(await readLog(join(folder, owner))));
  const last = names
    .filter((name) => logForm.test(name))
    .sort()
    .at(-1);
  return last === undefined ? batches : [...batches, ...readLogFrames(await readFile(join(folder, last)))];
}

/** A new name in a folder survives a power failure only after this call. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Returns the shorter of both notations, because socket paths have a maximum length. */
function socketPath(path: string): string {
  const short = relative(process.cwd(), path);
  const chosen = short.length < path.length ? short : path;
  if (Buffer.byteLength(chosen) > maxSocketChars)
    throw new TypeError('The path of the folder for channels is too long: use one of at most 70 characters.');
  return chosen;
}

/** Renames the socket when it listens. Before that, a connection fails like one to an ended process. */
async function listenAt(folder: string): Promise<Server> {
  const [path, first] = [socketPath(join(folder, socketName)), join(folder, newSocketName)];
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((listening, reject) => {
    server.once('error', reject);
    server.listen(socketPath(first), listening);
  });
  server.unref();
  await rename(first, path);
  return server;
}

/** Whether a process listens on the socket. Only ECONNREFUSED shows that it has ended. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath(path));
    const end = (isAlive: boolean): void => {
      socket.destroy();
      resolve(isAlive);
    };
    socket.once('connect', () => end(true));
    socket.once('error', ({ code }: NodeJS.ErrnoException) => end(code !== 'ECONNREFUSED'));
  });
}
