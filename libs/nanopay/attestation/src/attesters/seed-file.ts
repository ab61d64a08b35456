import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, mkdir, open, unlink, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

const seedText = /^([0-9a-f]{64})\n?$/;
const maxFileBytes = 65;
const ownerOnly = 0o600;
const [forAnyone, forGroup, writing, writingByOthers] = [0o007, 0o070, 0o222, 0o022];
const root = 0;

/**
 * Loads the seed of the key for machines without hardware that stores it. Throws for a file that other users can access
 * and for invalid content. It never creates a new key, because that would silently invalidate all receipts. Follows
 * symbolic links, since Kubernetes mounts each secret behind two of them, and checks the file behind the links.
 */
export async function loadSeed(file: string): Promise<Buffer> {
  const seed = await readSeed(file);
  if (!seed) throw new Error(`the seed file ${file} is missing; create it with: openssl rand -hex 32`);
  return seed;
}

/** Like `loadSeed`, but creates a missing file. */
export async function loadOrCreateSeed(file: string): Promise<Buffer> {
  const found = await readSeed(file);
  if (found) return found;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await createSeed(file);
  const created = await readSeed(file);
  if (!created) throw new Error('the seed file disappeared during its creation');
  return created;
}

/** Creates the file atomically. Of several concurrent processes the first one creates it, and all use its seed. */
async function createSeed(file: string): Promise<void> {
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  const handle = await open(draft, 'wx', ownerOnly);
  try {
    await handle.writeFile(`${randomBytes(32).toString('hex')}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    await link(draft, file);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    await unlink(draft);
  }
}

async function readSeed(file: string): Promise<Buffer | undefined> {
  let handle: FileHandle;
  try {
    // Non-blocking, so that a pipe cannot block the start.
    handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  try {
    const stat = await handle.stat();
    if (!stat.isFile() || stat.size > maxFileBytes)
      throw new Error('the seed file is not a regular file, or is too large');
    const problem = accessProblem(stat, process.getuid?.());
    if (problem) throw new Error(problem);
    const match = seedText.exec(await handle.readFile('latin1'));
    if (!match) throw new Error('the seed file contains no seed: expected 64 lower-case hexadecimal digits');
    return Buffer.from(match[1]!, 'hex');
  } finally {
    await handle.close();
  }
}

/** Returns why other users could read or change the file, or undefined if they cannot. */
export function accessProblem(
  { mode, uid }: { mode: number; uid: number },
  ownUid: number | undefined,
): string | undefined {
  const isOwn = uid === ownUid;
  if (!isOwn && uid !== root)
    return 'the seed file belongs to another user; its owner must be the user that reads it, or root';
  if ((mode & (forAnyone | writingByOthers)) !== 0)
    return 'the seed file is open to others; its mode must be 0600, or 0440 for a group';
  // A group may read a file that an orchestrator mounts. Such a file belongs to root or is read-only.
  const isMounted = !isOwn || (mode & writing) === 0;
  if ((mode & forGroup) !== 0 && !isMounted)
    return 'the seed file is open to its group; its mode must be 0600, or 0440 for a group';
  return undefined;
}

const isCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException).code === code;
