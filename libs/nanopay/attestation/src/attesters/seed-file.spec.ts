import {
  chmod,
  chown,
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
import { spawnSync } from 'node:child_process';
import { accessProblem, loadOrCreateSeed, loadSeed } from './seed-file';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seed-'));
  file = join(folder, 'keys', 'seed');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('loadOrCreateSeed creates the file only once with mode 0600 and returns the same seed at every start', async () => {
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
    await expect(loadOrCreateSeed(file)).rejects.toThrow(/open to (others|its group)/);
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
    expect(rejection.message).toMatch(/contains no seed|is not a regular file/);
    // The content may be a mistyped secret.
    expect(rejection.message).not.toContain('ab');
    expect(await readFile(file, 'utf8')).toBe(content);
  },
);

it('loadOrCreateSeed checks the file behind a symbolic link, and rejects a folder', async () => {
  const real = join(folder, 'real');
  const seed = await loadOrCreateSeed(real);
  await symlink(real, join(folder, 'link'));
  expect(await loadOrCreateSeed(join(folder, 'link'))).toEqual(seed);
  await chmod(real, 0o644);
  await expect(loadOrCreateSeed(join(folder, 'link'))).rejects.toThrow('open to others');
  await mkdir(join(folder, 'folder'));
  await expect(loadOrCreateSeed(join(folder, 'folder'))).rejects.toThrow('is not a regular file');
});

it('loadSeed rejects a missing file and a dangling link, and creates nothing', async () => {
  await expect(loadSeed(file)).rejects.toThrow(`${file} is missing; create it with: openssl rand -hex 32`);
  await symlink(join(folder, 'none'), join(folder, 'dangling'));
  await expect(loadSeed(join(folder, 'dangling'))).rejects.toThrow('is missing');
  expect(await readdir(folder)).toEqual(['dangling']);
});

const [own, root, other] = [1_000, 0, 1_001];
it.each([
  [own, 0o600, undefined],
  [own, 0o400, undefined],
  [own, 0o440, undefined],
  [own, 0o640, 'open to its group'],
  [own, 0o660, 'open to others'],
  [own, 0o644, 'open to others'],
  [own, 0o604, 'open to others'],
  [own, 0o601, 'open to others'],
  [root, 0o440, undefined],
  [root, 0o640, undefined],
  [root, 0o460, 'open to others'],
  [root, 0o444, 'open to others'],
  [root, 0o644, 'open to others'],
  [other, 0o440, 'belongs to another user'],
  [other, 0o600, 'belongs to another user'],
])('accessProblem of a file of uid %i with mode %o: %s', (uid, mode, problem) => {
  const found = accessProblem({ uid, mode: 0o100_000 | mode }, own);
  if (problem) expect(found).toContain(problem);
  else expect(found).toBeUndefined();
});

/** Loads the seed in a separate process without root's rights. */
function readAsAnotherUser(path: string, groupId: number): { output: string; error: string } {
  const program = `
    const { loadSeed } = require(${JSON.stringify(join(__dirname, 'seed-file.ts'))});
    if (process.getuid() === 0) { process.setgroups([${groupId}]); process.setgid(65534); process.setuid(65534); }
    loadSeed(${JSON.stringify(path)}).then((seed) => console.log(seed.toString('hex')));
  `;
  const hook = join(__dirname, '../../../../dev/testing/src/run-typescript.cjs');
  const { stdout, stderr } = spawnSync(process.execPath, ['-r', hook, '-e', program], { encoding: 'utf8' });
  return { output: stdout.trim(), error: stderr };
}

it('loadSeed reads a read-only file of root through the links of Kubernetes, unless other users may read it', async () => {
  const groupId = process.getuid!() === 0 ? 4_321 : process.getgid!();
  await chmod(folder, 0o755);
  const version = join(folder, '..2026_11_24_20_00_00.123456789');
  await mkdir(version, { mode: 0o755 });
  const real = join(version, 'key');
  await writeFile(real, 'ab'.repeat(32), { mode: 0o440 });
  await chown(real, process.getuid!(), groupId);
  await symlink('..2026_11_24_20_00_00.123456789', join(folder, '..data'));
  await symlink(join('..data', 'key'), join(folder, 'key'));
  expect(readAsAnotherUser(join(folder, 'key'), groupId)).toEqual({ output: 'ab'.repeat(32), error: '' });
  await chmod(real, 0o444);
  const { output, error } = readAsAnotherUser(join(folder, 'key'), groupId);
  expect(output).toBe('');
  expect(error).toContain('open to others');
  expect(error).not.toContain('abab');
});

it('loadOrCreateSeed accepts a hard link', async () => {
  const seed = await loadOrCreateSeed(file);
  await link(file, join(folder, 'second'));
  expect(await loadOrCreateSeed(join(folder, 'second'))).toEqual(seed);
});
