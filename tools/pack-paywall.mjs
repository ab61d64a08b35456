// Creates the tarball of @tollbridge/paywall that sellers install.
//
// node tools/pack-paywall.mjs [folder]
//
// It contains the required parts of libs/nanopay/protocol and libs/nanopay/attestation, and types. Programs that use it
// must install the framework.
import { join } from 'node:path';
import { repository } from './local/directory.mjs';
import { compileLibrary } from './pack/compile-library.mjs';
import { packPackage, readJson } from './pack/pack-package.mjs';

const library = join(repository, 'libs/nanopay/paywall');

/** @param {any} source the package.json of the library */
async function manifest(source) {
  const product = await readJson(join(repository, 'package.json'));
  const entries = entriesOf(source);
  const { name, version, description, license } = source;
  const fileOf = (entry) => `./dist/nanopay/paywall/src${entry}/index`;
  const { '@phala/dcap-qvl': quotes, ...others } = product.dependencies;
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
    engines: product.engines,
    main: `${fileOf('')}.js`,
    types: `${fileOf('')}.d.ts`,
    files: ['dist'],
    exports: Object.fromEntries(
      entries.map((entry) => [
        `.${entry}`,
        { types: `${fileOf(entry)}.d.ts`, default: `${fileOf(entry)}.js` },
      ]),
    ),
    // For compilers that do not support `exports`.
    typesVersions: {
      '*': Object.fromEntries(
        entries.filter(Boolean).map((entry) => [entry.slice(1), [`${fileOf(entry)}.d.ts`]]),
      ),
    },
    // An exact version for the verifier of quotes, because sellers use two independent implementations and this is one.
    dependencies: {
      ...caret('@noble/curves'),
      ...caret('@noble/hashes'),
      ...caret('@scure/base'),
      '@phala/dcap-qvl': quotes,
      'lru-cache': others['lru-cache'],
    },
    peerDependencies: peers,
    peerDependenciesMeta: Object.fromEntries(Object.keys(peers).map((peer) => [peer, { optional: true }])),
  };
}

/** The entries of the package: '' and '/nestjs'. @param {{ exports: object }} source */
const entriesOf = (source) => Object.keys(source.exports).map((name) => name.slice(1));

await packPackage(library, async (folder) => {
  const source = await readJson(join(library, 'package.json'));
  await compileLibrary({
    entries: entriesOf(source).map((entry) => join(library, `src${entry}/index.ts`)),
    sourceRoot: join(repository, 'libs'),
    outDir: join(folder, 'dist'),
    type: 'commonjs',
  });
  return manifest(source);
});
