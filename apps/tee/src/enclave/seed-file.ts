import { randomBytes } from 'node:crypto';
import { chmod, link, readFile, stat, unlink, writeFile } from 'node:fs/promises';

/** The file is not one that a secret may be in, or holds something else. */
export class UnusableSeedFile extends Error {}

/** The 32 bytes in a file of 64 hexadecimal digits that only its owner may read; a new one if there is none. */
export async function loadOrCreateSeed(file: string): Promise<Buffer> {
  return (await read(file)) ?? create(file);
}

async function read(file: string): Promise<Buffer | undefined> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!found) return undefined;
  if ((found.mode & 0o077) !== 0) throw new UnusableSeedFile(`${file} can be read by others: chmod 600`);
  const text = (await readFile(file, 'utf8')).trim();
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new UnusableSeedFile(`${file} holds no key of 64 hexadecimal digits`);
  return Buffer.from(text, 'hex');
}

/** Written elsewhere and then linked: nobody finds half of a key, and of two processes that begin together one wins. */
async function create(file: string): Promise<Buffer> {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await chmod(draft, 0o600);
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await unlink(draft);
  }
  return (await read(file))!;
}
