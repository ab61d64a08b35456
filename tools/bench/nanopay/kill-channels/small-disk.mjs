// A file system of a few megabytes in memory, for tests with a full disk. It needs Linux with user namespaces, and no
// privileges.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const chunkBytes = [1024 * 1024, 4096];

export class SmallDisk {
  /** @param {number} megabytes */
  static async mount(megabytes) {
    const disk = new SmallDisk();
    const place = mkdtempSync(join(tmpdir(), 'small-disk-'));
    const mount = `mount -t tmpfs -o size=${megabytes}m tmpfs "$0" && echo mounted && exec sleep infinity`;
    const parameters = ['--user', '--map-root-user', '--mount', 'sh', '-c', mount, place];
    const holder = spawn('unshare', parameters, { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(holder, 'exit').then(() => Promise.reject(new Error('no small disk can be mounted')));
    ended.catch(() => undefined);
    await Promise.race([once(holder.stdout, 'data'), ended]);
    Object.assign(disk, { place, holder, ended, folder: `/proc/${holder.pid}/root${place}` });
    return disk;
  }

  /** Fills the disk to the last block. */
  fill() {
    const file = openSync(join(this.folder, 'filler'), 'a');
    for (const bytes of chunkBytes) {
      try {
        for (;;) writeSync(file, Buffer.alloc(bytes));
      } catch (error) {
        if (error.code !== 'ENOSPC') throw error;
      }
    }
    closeSync(file);
  }

  get freeBytes() {
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize;
  }

  free() {
    rmSync(join(this.folder, 'filler'));
  }

  /** Unmounts the disk, which deletes its content. */
  async unmount() {
    this.holder.kill();
    await this.ended.catch(() => undefined);
    rmSync(this.place, { recursive: true });
  }
}
