import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, mkdir, open, unlink, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

const seedText = /^([0-9a-f]{64})\n?$/;
const maxFileBytes = 65;
const ownerOnly = 0o600;
const forOthers = 0o077;

/**
 * Loads the seed of the key where no hardware stores it. A file that other users can access or with other content is
 * rejected: replacing it by a new key would silently invalidate all receipts.
 */
export async function loadOrCreateSeed(file: string): Promise<Buffer> {
  const found = await readSeed(file);
  if (found) return found;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await createSeed(file);
  const created = await readSeed(file);
  if (!created) throw new Error('the seed file went away while it was created');
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
    // A link could point to a foreign file; a pipe must not block the start.
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    if (isCode(error, 'ELOOP')) throw new Error('the seed file is a link', { cause: error });
    throw error;
  }
  try {
    const stat = await handle.stat();
    if (!stat.isFile() || stat.size > maxFileBytes) throw new Error('the seed file is no seed file');
    if ((stat.mode & forOthers) !== 0 || stat.uid !== process.getuid?.())
      throw new Error('the seed file is open to others; its mode must be 0600');
    const match = seedText.exec(await handle.readFile('latin1'));
    if (!match) throw new Error('the seed file holds no seed');
    return Buffer.from(match[1]!, 'hex');
  } finally {
    await handle.close();
  }
}

const isCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException).code === code;
