import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lastLines, runCommand } from '../local/run-command.mjs';

const participants = join(dirname(fileURLToPath(import.meta.url)), 'participants');
/** Public repository and commit of the tests, used if no checkout is given. */
export const repositoryUrl = 'https://github.com/coinbase/x402';
export const pinnedCommit = 'dd927a26cfefc98c24b3ec38b3a8f204dad0c60d';
/** Version of the official packages from npm. */
export const packagesVersion = '2.27.0';
const fromNpm = ['core', 'evm', 'svm', 'extensions', 'express', 'hono', 'fetch'];
/** Packages without this version on npm, by their folder in the checkout. */
const fromSource = {
  axios: 'http/axios',
  fastify: 'http/fastify',
  aptos: 'mechanisms/aptos',
  avm: 'mechanisms/avm',
  stellar: 'mechanisms/stellar',
};
const used = [
  'e2e',
  'e2e/clients/fetch',
  'e2e/clients/axios',
  'e2e/servers/express',
  'e2e/servers/hono',
  'e2e/servers/fastify',
  'e2e/facilitators/typescript',
];
const sourcesFolder = 'typescript/packages';

/**
 * Puts the official tests, their packages and our participants into a separate folder. The files of the tests are
 * unchanged.
 * @param {string} folder @param {string | undefined} checkout a work tree or a Git directory of x402
 * @param {(text: string) => void} note
 * @returns {Promise<{ commit: string, e2e: string, programs: string, tsx: string[] }>}
 */
export async function prepareWorkspace(folder, checkout, note) {
  mkdirSync(folder, { recursive: true });
  note('sources of the x402 tests');
  const commit = await extract(folder, checkout);
  const sources = join(folder, 'x402');
  note('packages of the x402 tests');
  await install(folder, sources);
  note('packages built from source');
  for (const [name, path] of Object.entries(fromSource)) await buildPackage(folder, name, path);
  const e2e = join(sources, 'e2e');
  cpSync(join(participants, 'server'), join(e2e, 'servers/tollbridge'), { recursive: true });
  const proxies = join(e2e, 'facilitators/external-proxies/tollbridge');
  cpSync(join(participants, 'facilitator'), proxies, { recursive: true });
  const tsx = ['--import', join(folder, 'node_modules/tsx/dist/loader.mjs')];
  return { commit, e2e, programs: writePrograms(folder, tsx), tsx };
}

/** @param {string} folder @param {string | undefined} checkout */
async function extract(folder, checkout) {
  const repository = checkout ?? join(folder, 'repository');
  if (!checkout && !existsSync(repository))
    await must('git', ['clone', '--quiet', '--filter=blob:none', '--no-checkout', repositoryUrl, repository]);
  const revision = checkout ? 'HEAD' : pinnedCommit;
  const git = ['-C', repository];
  const commit = (await must('git', [...git, 'rev-parse', revision])).trim();
  const target = join(folder, 'x402');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  const archive = join(folder, 'x402.tar');
  await must('git', [...git, 'archive', '--output', archive, commit, 'e2e', sourcesFolder]);
  await must('tar', ['-xf', archive, '-C', target]);
  return commit;
}

/** @param {string} folder @param {string} sources */
async function install(folder, sources) {
  const manifests = [
    ...used.map((path) => join(sources, path)),
    ...Object.values(fromSource).map((path) => join(sources, sourcesFolder, path)),
  ].map((path) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')));
  const dependencies = dependenciesOf(manifests);
  for (const name of fromNpm) dependencies[`@x402/${name}`] = packagesVersion;
  const manifest = `${JSON.stringify({ private: true, dependencies }, null, 2)}\n`;
  const path = join(folder, 'package.json');
  if (existsSync(path) && readFileSync(path, 'utf8') === manifest && existsSync(join(folder, 'node_modules')))
    return;
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
  writeFileSync(path, manifest);
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
  await must('npm', ['install', ...options], folder);
}

/**
 * Merges the dependencies of several packages; the first range of a name is used. Packages of the workspace are
 * omitted.
 * @param {{ dependencies?: Record<string, string> }[]} manifests
 * @returns {Record<string, string>}
 */
export function dependenciesOf(manifests) {
  /** @type {Record<string, string>} */
  const all = {};
  for (const { dependencies = {} } of manifests)
    for (const [name, range] of Object.entries(dependencies))
      if (!range.startsWith('workspace:')) all[name] ??= range;
  return all;
}

/** @param {string} folder @param {string} name @param {string} path of its source */
async function buildPackage(folder, name, path) {
  const from = join(folder, 'x402', sourcesFolder, path);
  const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  const target = join(folder, 'node_modules/@x402', name);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const entries = entriesOf(manifest.exports);
  const { build } = createRequire(join(folder, 'package.json'))('esbuild');
  await build({
    entryPoints: entries.map((entry) => join(from, 'src', `${entry}.ts`)),
    outbase: join(from, 'src'),
    outdir: join(target, 'dist/esm'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  });
  writeFileSync(join(target, 'package.json'), JSON.stringify({ ...manifest, dependencies: {} }));
}

/**
 * Returns the source files of a package's entry points, without `.ts`.
 * @param {Record<string, { import: { default: string } }>} exported
 */
export function entriesOf(exported) {
  return Object.values(exported).map(({ import: { default: path } }) =>
    path.replace(/^\.\/dist\/esm\//, '').replace(/\.mjs$/, ''),
  );
}

/**
 * Writes the programs that the tests start by name. `pnpm` runs the script of a participant, and reports when it is
 * ready. Official sellers do not report this, and the tests would wait half a minute for each. `clean:ports` does
 * nothing, because it would kill every process on ports 4022 to 4060. On Base, the Permit2 script gets the token of
 * Base instead of Base Sepolia.
 * @param {string} folder @param {string[]} tsx
 */
function writePrograms(folder, tsx) {
  const programs = join(folder, 'programs');
  mkdirSync(programs, { recursive: true });
  const run = `exec '${process.execPath}' ${tsx.map((it) => `'${it}'`).join(' ')}`;
  const url = 'http://localhost:$PORT/health';
  const report = `for i in $(seq 150); do curl -sf "${url}" >/dev/null && echo 'Server listening' && break; sleep 0.2; done`;
  const texts = {
    pnpm: `case "$1" in\ndev) [ -z "$PORT" ] || (${report}) & ;;\nstart) ;;\n*) exit 0 ;;\nesac\n${run} index.ts`,
    npx: `shift\n${run} "$@"`,
    tsx: `if [ "$1" = scripts/permit2-approval.ts ]; then set -- "$1" "$2" ${usdcOfBase}; fi\n${run} "$@"`,
  };
  for (const [name, text] of Object.entries(texts)) {
    const path = join(programs, name);
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o755);
  }
  return programs;
}

/** USDC of Base, which official buyers use by default. */
export const usdcOfBase = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

/** @param {string} program @param {string[]} args @param {string} [cwd] */
async function must(program, args, cwd) {
  const { code, output } = await runCommand(program, args, { cwd });
  if (code !== 0) throw new Error(`${program} ${args[0]} failed:\n${lastLines(output)}`);
  return output;
}
