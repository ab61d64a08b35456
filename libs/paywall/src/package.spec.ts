import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = resolve(__dirname, '../../..');
const entries: [string, string][] = [
  ['', 'Paywall'],
  ['/nestjs', 'PaywallModule'],
  ['/express', 'paid'],
  ['/fastify', 'paywallPlugin'],
  ['/x402', 'TonNanopayClient'],
  ['/buyer', 'createBuyer'],
  ['/testing', 'MemoryEnclave'],
];

describe('the package that sellers install', () => {
  let folder: string;
  let installed: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'paywall-spec-'));
    const { stdout } = await run(process.execPath, [join(root, 'tools/pack-paywall.mjs'), folder]);
    installed = join(folder, 'node_modules/@tollbridge/paywall');
    await mkdir(installed, { recursive: true });
    await run('tar', ['-xzf', stdout.trim(), '-C', installed, '--strip-components=1']);
    // What it asks for; nothing else of this repository is there.
    for (const name of ['@nestjs', '@noble', 'fastify', 'rxjs', 'reflect-metadata'])
      await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is required and imported, entry by entry', async () => {
    const names = entries.map(([entry, name]) => [`@tollbridge/paywall${entry}`, name]);
    const list = JSON.stringify(names);
    const required = `for (const [entry, name] of ${list}) if (!require(entry)[name]) throw new Error(entry);`;
    await writeFile(join(folder, 'required.cjs'), required);
    const imported = names.map(([entry, name], at) => `import { ${name} as i${at} } from '${entry}';`);
    const isThere = `if (![${names.map((_, at) => `i${at}`).join()}].every(Boolean)) throw new Error('missing');`;
    await writeFile(join(folder, 'imported.mjs'), [...imported, isThere].join('\n'));
    for (const file of ['required.cjs', 'imported.mjs'])
      await run(process.execPath, [join(folder, file)], { cwd: folder });
  });

  it('brings its types, and points to nothing that it does not bring', async () => {
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
      private?: boolean;
      exports: Record<string, { types: string; default: string }>;
      dependencies: Record<string, string>;
    };
    expect(manifest.private).toBeUndefined();
    expect(Object.keys(manifest.dependencies)).toEqual(['@noble/curves']);
    expect(Object.keys(manifest.exports)).toEqual(entries.map(([entry]) => `.${entry}`));
    for (const [at, { types }] of Object.values(manifest.exports).entries()) {
      const text = await readFile(join(installed, types), 'utf8');
      expect(text).toContain(entries[at]![1]);
      expect(text).not.toContain('@tollbridge/nanopay');
    }
    const { stdout } = await run('grep', ['-rlE', '@tollbridge/nanopay|\\.spec', installed]).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  });

  it('works without frameworks, where only the core is used', async () => {
    for (const name of ['@nestjs', 'fastify', 'rxjs', 'reflect-metadata'])
      await rm(join(folder, 'node_modules', name));
    const file = join(folder, 'alone.cjs');
    await writeFile(
      file,
      `const { Paywall } = require('@tollbridge/paywall');
       for (const entry of ['express', 'x402', 'buyer', 'testing']) require('@tollbridge/paywall/' + entry);
       new Paywall({ baseUrl: 'https://a.example', to: '0:' + '2'.repeat(64), gateway: 'https://b.example' });`,
    );
    await run(process.execPath, [file], { cwd: folder });
  });
});
