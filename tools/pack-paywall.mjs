// Makes the tarball of @tollbridge/paywall that sellers install: node tools/pack-paywall.mjs [folder]
// It carries what it needs of libs/nanopay/protocol and libs/nanopay/attestation, and types; frameworks are left to those who use them.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ensurePackages } from './local/packages.mjs';

const run = promisify(execFile);
const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const library = join(root, 'libs/nanopay/paywall');
const readJson = async (path) => JSON.parse(await readFile(path, 'utf8'));

const source = await readJson(join(library, 'package.json'));
const repository = await readJson(join(root, 'package.json'));
const entries = Object.keys(source.exports).map((name) => name.slice(1));

/** Only what the entry points import is compiled: no tests, no benches. */
async function compile(folder) {
  const settings = join(folder, 'tsconfig.json');
  const files = entries.map((entry) => join(library, `src${entry}/index.ts`));
  const options = {
    noEmit: false,
    declaration: true,
    noCheck: true,
    incremental: false,
    module: 'CommonJS',
    moduleResolution: 'Node10',
    ignoreDeprecations: '5.0',
    rootDir: join(root, 'libs'),
    outDir: join(folder, 'dist'),
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  };
  const extended = join(root, 'tsconfig.base.json');
  await writeFile(settings, JSON.stringify({ extends: extended, compilerOptions: options, files }));
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', settings]);
  await rm(settings);
}

/** These are not on the registry: their files lie beside, and are named by their paths. */
const beside = [
  ['@tollbridge/nanopay-protocol', 'nanopay/protocol/src/index'],
  ['@tollbridge/attestation/verify', 'nanopay/attestation/src/verify/index'],
];

async function linkLibraries(dist) {
  for (const name of await readdir(dist, { recursive: true })) {
    if (!name.endsWith('.js') && !name.endsWith('.d.ts')) continue;
    const path = join(dist, name);
    const text = await readFile(path, 'utf8');
    const linked = beside.reduce((linking, [library, file]) => {
      const way = relative(dirname(path), join(dist, file));
      return linking.replaceAll(`'${library}'`, `'${way}'`).replaceAll(`"${library}"`, `"${way}"`);
    }, text);
    if (linked !== text) await writeFile(path, linked);
  }
}

function manifest() {
  const { name, version, description, license } = source;
  const fileOf = (entry) => `./dist/nanopay/paywall/src${entry}/index`;
  const { '@phala/dcap-qvl': quotes, ...others } = repository.dependencies;
  const caret = (packageName) => ({ [packageName]: `^${others[packageName]}` });
  const peers = {
    '@nestjs/common': '>=11',
    fastify: '>=5',
    rxjs: '>=7',
    '@ton/core': '>=0.60',
    // For `batch-settlement`.
    '@x402/core': others['@x402/core'],
    '@x402/evm': others['@x402/evm'],
    viem: '>=2',
  };
  return {
    name,
    version,
    description,
    license,
    engines: repository.engines,
    main: `${fileOf('')}.js`,
    types: `${fileOf('')}.d.ts`,
    files: ['dist'],
    exports: Object.fromEntries(
      entries.map((entry) => [
        `.${entry}`,
        { types: `${fileOf(entry)}.d.ts`, default: `${fileOf(entry)}.js` },
      ]),
    ),
    // For compilers that know nothing of exports.
    typesVersions: {
      '*': Object.fromEntries(
        entries.filter(Boolean).map((entry) => [entry.slice(1), [`${fileOf(entry)}.d.ts`]]),
      ),
    },
    // The verifier of quotes exactly: it is one of two opinions on which sellers rely.
    dependencies: {
      ...caret('@noble/curves'),
      ...caret('@noble/hashes'),
      '@phala/dcap-qvl': quotes,
      'lru-cache': others['lru-cache'],
    },
    peerDependencies: peers,
    peerDependenciesMeta: Object.fromEntries(Object.keys(peers).map((peer) => [peer, { optional: true }])),
  };
}

// The compiler is not among the packages of `npm start`.
if (!existsSync(join(root, 'node_modules/typescript'))) {
  process.stderr.write('Installing the packages for development...\n');
  await ensurePackages(() => undefined);
}
const destination = resolve(process.argv[2] ?? join(root, 'dist'));
const folder = await mkdtemp(join(tmpdir(), 'paywall-'));
try {
  await compile(folder);
  await linkLibraries(join(folder, 'dist'));
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  await cp(join(library, 'README.md'), join(folder, 'README.md'));
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  await mkdir(destination, { recursive: true });
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', destination], { cwd: folder });
  const [{ filename }] = JSON.parse(stdout);
  process.stdout.write(`${join(destination, filename)}\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
