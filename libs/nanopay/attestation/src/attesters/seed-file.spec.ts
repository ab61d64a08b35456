import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadOrCreateSeed } from './seed-file';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seed-'));
  file = join(folder, 'keys', 'seed');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('loadOrCreateSeed creates the file once with mode 0600 and returns the same seed at every start', async () => {
  const seed = await loadOrCreateSeed(file);
  expect(seed).toHaveLength(32);
  expect(await loadOrCreateSeed(file)).toEqual(seed);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(folder, 'keys'))).toEqual(['seed']);
});

it('loadOrCreateSeed creates another seed in another file', async () => {
  const other = await loadOrCreateSeed(join(folder, 'other'));
  expect(await loadOrCreateSeed(file)).not.toEqual(other);
});

it('loadOrCreateSeed returns one seed to concurrent callers', async () => {
  const seeds = await Promise.all(Array.from({ length: 20 }, () => loadOrCreateSeed(file)));
  expect(new Set(seeds.map((seed) => seed.toString('hex'))).size).toBe(1);
  expect(await readdir(join(folder, 'keys'))).toEqual(['seed']);
});

it.each([0o604, 0o640, 0o660, 0o602])(
  'loadOrCreateSeed rejects a file that other users can access (mode %o)',
  async (mode) => {
    await loadOrCreateSeed(file);
    await chmod(file, mode);
    await expect(loadOrCreateSeed(file)).rejects.toThrow('open to others');
  },
);

it.each(['', 'ab'.repeat(31), 'zz'.repeat(32), 'AB'.repeat(32), 'ab'.repeat(33), `\n${'ab'.repeat(32)}`])(
  'loadOrCreateSeed rejects invalid content and does not change it (%#)',
  async (content) => {
    await mkdir(join(folder, 'keys'));
    await writeFile(file, content, { mode: 0o600 });
    const rejection: Error = await loadOrCreateSeed(file).then(
      () => new Error('taken'),
      (error: Error) => error,
    );
    expect(rejection.message).toMatch(/holds no seed|no seed file/);
    // The content may be a mistyped secret.
    expect(rejection.message).not.toContain('ab');
    expect(await readFile(file, 'utf8')).toBe(content);
  },
);

it('loadOrCreateSeed rejects a symbolic link and a folder', async () => {
  const real = join(folder, 'real');
  await loadOrCreateSeed(real);
  await symlink(real, join(folder, 'link'));
  await expect(loadOrCreateSeed(join(folder, 'link'))).rejects.toThrow('is a link');
  await mkdir(join(folder, 'folder'));
  await expect(loadOrCreateSeed(join(folder, 'folder'))).rejects.toThrow('no seed file');
});

it('loadOrCreateSeed accepts a hard link', async () => {
  const seed = await loadOrCreateSeed(file);
  await link(file, join(folder, 'second'));
  expect(await loadOrCreateSeed(join(folder, 'second'))).toEqual(seed);
});
