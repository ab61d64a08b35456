// Compiles and tests the Move package of this folder with Sui's compiler and virtual machine as WebAssembly. Needs no
// network, because the framework's interfaces are in framework/.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const folder = dirname(fileURLToPath(import.meta.url));

/**
 * Package address for tests, because Move assigns the address only at publication. It differs from 0x0, so that the
 * rules for the package's own address are tested separately.
 */
export const testPackage = '0x7011b71d9e7011b71d9e7011b71d9e7011b71d9e7011b71d9e7011b71d9e0001';

/** @typedef {Record<string, string>} Files text by path, as `sources/pay.move` */

/** Reads the files of one folder of the package. @param {string} part @returns {Files} */
export function readMoveFiles(part) {
  const names = readdirSync(join(folder, part)).filter((name) => name.endsWith('.move'));
  return Object.fromEntries(
    names.sort().map((name) => [`${part}/${name}`, readFileSync(join(folder, part, name), 'utf8')]),
  );
}

/**
 * Compiles the package for publication.
 * @param {Files} [sources]
 * @returns {Promise<{ modules: string[], dependencies: string[], digest: number[] }>} modules in base64
 * @throws {Error} with the compiler's errors and warnings
 */
export async function compileMovePackage(sources = readMoveFiles('sources')) {
  const { dumpMovePackage } = await builder();
  const files = { 'Move.toml': readManifest('0x0'), ...sources };
  const result = await dumpMovePackage({ files, fetcher: await framework(), lintFlag: 'all' });
  if ('error' in result) throw new Error(result.error);
  if (result.warnings) throw new Error(result.warnings);
  return result;
}

/** Returns the release of Sui with this compiler and virtual machine, for example `1.71.1`. */
export async function moveCompilerVersion() {
  return (await builder()).getPinnedSuiVersion();
}

/**
 * Runs the package's Move tests, each in a separate virtual machine.
 * @param {{ sources?: Files, tests?: Files, packageId?: string, addresses?: Record<string, string> }} [parts] tests may
 * have modules at other named addresses
 * @returns {Promise<{ passed: string[], failed: string[], output: string }>} names in the form
 * `tollbridge::module::test`
 * @throws {Error} with the compiler's errors
 */
export async function testMovePackage(parts = {}) {
  const { sources = readMoveFiles('sources'), tests = readMoveFiles('tests') } = parts;
  const { testMovePackage: run } = await builder();
  const manifest = readManifest(parts.packageId ?? testPackage, parts.addresses);
  const files = { 'Move.toml': manifest, ...sources, ...tests };
  const result = await run({ files, fetcher: await framework(), ansiColor: false });
  if ('error' in result) throw new Error(result.error);
  const named = (/** @type {string} */ state) =>
    [...result.output.matchAll(new RegExp(`^\\[ ${state} +\\] (\\S+)$`, 'gm'))].map(([, name]) => name);
  const [passed, failed] = [named('PASS'), [...named('FAIL'), ...named('TIMEOUT')]];
  // Compiler errors are reported as output without a test.
  if (!result.passed && failed.length === 0) throw new Error(result.output);
  return { passed, failed, output: result.output };
}

/** @param {string} address @param {Record<string, string>} [others] */
const readManifest = (address, others = {}) =>
  [
    readFileSync(join(folder, 'Move.toml'), 'utf8').replace('"0x0"', `"${address}"`),
    ...Object.entries(others).map(([name, it]) => `${name} = "${it}"\n`),
  ].join('');

/** @type {Promise<typeof import('@zktx.io/sui-move-builder/full')> | undefined} */
let loading;

function builder() {
  loading ??= (async () => {
    const module = await import('@zktx.io/sui-move-builder/full');
    const entry = require.resolve('@zktx.io/sui-move-builder/full');
    await module.initMovePackageBuilder({
      wasm: readFileSync(join(dirname(entry), 'sui_move_wasm_bg.wasm')),
    });
    return module;
  })();
  return loading;
}

/** Returns our interfaces when the compiler requests the framework. */
async function framework() {
  const { MovePackageFetcher } = await import('@zktx.io/sui-move-builder/full');
  const packages = ['move-stdlib', 'sui-framework'];
  return Object.assign(new MovePackageFetcher(), {
    async fetch(/** @type {string} */ _url, /** @type {string} */ _revision, /** @type {string} */ path) {
      const name = packages.find((it) => path.endsWith(`/${it}`));
      if (name === undefined) throw new Error(`The package ${path} is not part of framework/`);
      const root = `framework/${name}`;
      const sources = Object.entries(readMoveFiles(`${root}/sources`));
      return {
        'Move.toml': readFileSync(join(folder, root, 'Move.toml'), 'utf8'),
        ...Object.fromEntries(sources.map(([file, text]) => [file.slice(root.length + 1), text])),
      };
    },
    // The package has no lock file, because the framework is linked by name at publication.
    getResolvedSha: () => '0'.repeat(40),
  });
}
