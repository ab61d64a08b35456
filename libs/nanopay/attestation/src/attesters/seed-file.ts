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
 * Loads the seed of the key where no hardware stores it. Rejects a file that other users can access, or with other
 * content: a new key would silently invalidate all receipts. Follows symbolic links, since Kubernetes mounts each
 * secret behind two of them. The rules apply to the file behind the links.
 */
export async function loadSeed(file: string): Promise<Buffer> {
  const seed = await readSeed(file);
  if (!seed) throw new Error(`the seed file ${file} is missing; create it with: openssl rand -hex 32`);
  return seed;
}

/** Like `loadSeed`, and creates a file that is missing. */
export async function loadOrCreateSeed(file: string): Promise<Buffer> {
  const found = await readSeed(file);
  if (found) return found;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await createSeed(file);
  const created = await readSeed(file);
  if (!created) throw new Error('the seed file disappeared during its creation');
  return created;
}

/** Creates the file atomically. Of several concurrent processes the first wins, and all use its seed. */
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
    // A pipe must not block the start.
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
    if (!match) throw new Error('the seed file holds no seed');
    return Buffer.from(match[1]!, 'hex');
  } finally {
    await handle.close();
  }
}

/** Why other users could read or change the file: a message, or undefined. */
export function accessProblem(
  { mode, uid }: { mode: number; uid: number },
  ownUid: number | undefined,
): string | undefined {
  const isOwn = uid === ownUid;
  if (!isOwn && uid !== root)
    return 'the seed file belongs to another user; only its reader or root may own it';
  if ((mode & (forAnyone | writingByOthers)) !== 0)
    return 'the seed file is open to others; its mode must be 0600, or 0440 for a group';
  // A group reads what an orchestrator mounts: it belongs to root, or is read-only.
  const isMounted = !isOwn || (mode & writing) === 0;
  if ((mode & forGroup) !== 0 && !isMounted)
    return 'the seed file is open to its group; its mode must be 0600, or 0440 for a group';
  return undefined;
}

const isCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException).code === code;
