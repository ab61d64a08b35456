import { buildAttestation } from '@tollbridge/attestation';
import { mainnet, signingKey } from '@tollbridge/nanopay-protocol';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = resolve(__dirname, '../../../..');
// A quote of real hardware with its collateral, in a folder outside the repository.
const recorded = resolve(root, '../shared/vectors');
const frameworks = ['@nestjs', 'fastify', 'rxjs', 'reflect-metadata'];
const entries: [string, string][] = [
  ['', 'Paywall'],
  ['/nestjs', 'PaywallModule'],
  ['/express', 'paid'],
  ['/fastify', 'paywallPlugin'],
  ['/x402', 'TonNanopayClient'],
  ['/buyer', 'createBuyer'],
  ['/attestation', 'verifyAttestation'],
  ['/testing', 'MemoryEnclave'],
];

describe('the packed tarball', () => {
  let folder: string;
  let installed: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'paywall-spec-'));
    const { stdout } = await run(process.execPath, [join(root, 'tools/pack-paywall.mjs'), folder]);
    installed = join(folder, 'node_modules/@tollbridge/paywall');
    await mkdir(installed, { recursive: true });
    await run('tar', ['-xzf', stdout.trim(), '-C', installed, '--strip-components=1']);
    // Link only the dependencies, and no other file of this repository.
    for (const name of ['@noble', '@scure', '@phala', 'lru-cache', ...frameworks])
      await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('can be required and imported at every entry', async () => {
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

  it('includes its types and refers to no file outside the package', async () => {
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
      private?: boolean;
      exports: Record<string, { types: string; default: string }>;
      dependencies: Record<string, string>;
    };
    expect(manifest.private).toBeUndefined();
    expect(Object.keys(manifest.dependencies)).toEqual([
      '@noble/curves',
      '@noble/hashes',
      '@scure/base',
      '@phala/dcap-qvl',
      'lru-cache',
    ]);
    expect(Object.keys(manifest.exports)).toEqual(entries.map(([entry]) => `.${entry}`));
    for (const [at, { types }] of Object.values(manifest.exports).entries()) {
      const text = await readFile(join(installed, types), 'utf8');
      expect(text).toContain(entries[at]![1]);
    }
    const { stdout } = await run('grep', [
      '-rlE',
      '@tollbridge/(nanopay|attestation)|\\.spec\\b',
      installed,
    ]).catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  });

  it('verifies an attestation for a seller', async () => {
    const now = new Date();
    const expected = {
      network: mainnet.name,
      verifyingContract: `0:${'11'.repeat(32)}`,
      nonce: 'ab'.repeat(32),
    };
    const document = buildAttestation({
      identity: { ...expected, keyEpoch: 1 },
      key: signingKey(Buffer.alloc(32, 7)),
      nonce: expected.nonce,
      mode: 'none',
      evidence: null,
      ledger: { seq: 0n, head: Buffer.alloc(32) },
      now,
    });
    const verdicts = await answerOf(
      `const { verifyAttestation } = require('@tollbridge/paywall/attestation');
       const { document, expected, now } = input;
       const check = (more) =>
         verifyAttestation(document, { ...expected, leastKeyEpoch: 1, ...more }, { now: new Date(now) });
       return [await check({ machine: {} }), await check({ allowUnattested: true })];`,
      { document, expected, now },
    );
    expect(verdicts).toMatchObject([
      { ok: false, reason: 'not_attested' },
      { ok: true, attested: false, teePublicKey: document.teePublicKey },
    ]);
  });

  if (existsSync(recorded)) {
    it.each([
      ['2025-07-01T00:00:00Z', { ok: true, tcbStatus: 'UpToDate' }],
      ['2025-07-20T00:00:00Z', { ok: false, reason: 'collateral_expired' }],
    ])('verifies the recorded quote of real hardware as of %s', async (now, verdict) => {
      const quote = (await readFile(join(recorded, 'tdx_quote'))).toString('hex');
      const collateral: unknown = JSON.parse(
        await readFile(join(recorded, 'tdx_quote_collateral.json'), 'utf8'),
      );
      const answer = await answerOf(
        `const { verifyTdxQuote } = require('@tollbridge/paywall/attestation');
         const { quote, collateral, now } = input;
         const { report, ...verdict } = await verifyTdxQuote(Buffer.from(quote, 'hex'), collateral, new Date(now));
         return verdict;`,
        { quote, collateral, now },
      );
      expect(answer).toMatchObject(verdict);
    });
  }

  /** Returns the output of a program that runs in the seller's folder. */
  async function answerOf(body: string, input: unknown): Promise<unknown> {
    const file = join(folder, 'asked.cjs');
    const source = `(async (input) => { ${body} })(${JSON.stringify(input)})`;
    await writeFile(file, `${source}.then((answer) => process.stdout.write(JSON.stringify(answer)));`);
    return JSON.parse((await run(process.execPath, [file], { cwd: folder })).stdout);
  }

  it('works without frameworks when only the core is used', async () => {
    for (const name of frameworks) await rm(join(folder, 'node_modules', name));
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
