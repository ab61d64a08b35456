import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const script = join(dirname(fileURLToPath(import.meta.url)), 'sealed-root.sh');
/** The user of the images. */
export const imageUid = 1000;
const searchPath = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin';

/** True if this process can build file systems. Only root can, and in some containers not even root. */
export const canSeal = () =>
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' }).status ===
    0;

/** The root file system of one program of an image. */
export class SealedRoot {
  /**
   * @param {string} folder that only this program uses
   * @param {string} content the output of assembleImage
   */
  constructor(folder, content) {
    this.folder = folder;
    this.content = content;
    for (const name of ['root', 'config', 'data']) mkdirSync(join(folder, name), { recursive: true });
    chownSync(join(folder, 'data'), imageUid, imageUid);
    chmodSync(join(folder, 'data'), 0o700);
  }

  /** Adds a file for the program. @param {string} path @returns {string} its path inside the root */
  addFile(path) {
    return this.addText(basename(path), readFileSync(path, 'utf8'));
  }

  /**
   * Adds a file with the permissions of a Kubernetes secret: owned by root and readable by the group.
   * @param {string} name
   * @param {string} text
   * @returns {string} its path inside the root
   */
  addText(name, text) {
    const target = join(this.folder, 'config', name);
    rmSync(target, { force: true });
    writeFileSync(target, text, { mode: 0o440 });
    chownSync(target, 0, imageUid);
    return `/run/tollbridge/${name}`;
  }

  /** Returns the path of a file that the program may write. @param {string} name */
  dataFile(name) {
    return `/key/${name}`;
  }

  /**
   * Returns a command that runs Node.js inside the root, with the process id that spawn() returns.
   * @param {string[]} args of Node.js, with paths in /tollbridge @param {Record<string, string>} env
   * @param {string[]} [namespaces] further options of unshare
   */
  command(args, env, namespaces = []) {
    const paths = [
      join(this.folder, 'root'),
      this.content,
      process.execPath,
      join(this.folder, 'config'),
      join(this.folder, 'data'),
    ];
    return {
      program: 'unshare',
      args: [...namespaces, '--mount', '--propagation', 'private', 'sh', script, ...paths, 'node', ...args],
      env: { ...env, PATH: searchPath },
    };
  }
}

/**
 * Used if file systems cannot be built. It has the same content and settings, but uses the file system and the user of
 * this machine.
 */
export class PlainRoot {
  /** @param {string} folder that only this program uses @param {string} content the output of assembleImage */
  constructor(folder, content) {
    this.folder = folder;
    this.content = content;
    mkdirSync(join(folder, 'config'), { recursive: true });
  }

  /** @param {string} path @returns {string} */
  addFile(path) {
    return path;
  }

  /** @param {string} name @param {string} text @returns {string} */
  addText(name, text) {
    const target = join(this.folder, 'config', name);
    writeFileSync(target, text, { mode: 0o600 });
    return target;
  }

  /** @param {string} name */
  dataFile(name) {
    return join(this.folder, name);
  }

  /** @param {string[]} args of node @param {Record<string, string>} env */
  command([...args], env) {
    const program = args.pop() ?? '';
    return { program: process.execPath, args: [...args, join(this.content, program)], env };
  }
}
