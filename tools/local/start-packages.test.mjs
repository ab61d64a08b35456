import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { packingGroups } from '../pack/pack-package.mjs';
import { repository } from './directory.mjs';
import { paymentGroups } from './packages.mjs';
import { allNetworks } from './networks.mjs';
import { groupInstallation, groupsOf, missingInstallation, wholeInstallation } from './start-packages.mjs';

/** @param {string} name */
const readJson = (name) => JSON.parse(readFileSync(join(repository, name), 'utf8'));

/** @param {string[]} groups */
const installed = (groups) =>
  groupInstallation(readJson('package.json'), readJson('package-lock.json'), groups);
/** @param {string[]} groups */
const pathsWith = (groups) => Object.keys(installed(groups).lock.packages);

const firstGroups = paymentGroups({}, allNetworks);
const startGroups = [...firstGroups, 'services'];

describe('the packages of a start', () => {
  const paths = pathsWith(startGroups);

  it('contain the packages that run and those that the sandbox deploys', () => {
    for (const name of [
      'ethers',
      'typeorm',
      'viem',
      '@uniswap/v3-core',
      '@across-protocol/contracts',
      '@swc/core',
    ])
      assert.ok(paths.includes(`node_modules/${name}`), name);
  });

  it('exclude packages that only tests, development and the build for browsers use', () => {
    const unwanted = ['siwe', 'jest', 'nx', 'typescript', 'eslint', 'twilio', 'lithic', 'solc', '@lifi/sdk'];
    const forBrowsers = ['vite', 'react', '@walletconnect/sign-client', 'highlight.js'];
    assert.deepEqual(
      paths.filter((path) => [...unwanted, ...forBrowsers].some((name) => path === `node_modules/${name}`)),
      [],
    );
    assert.ok(paths.length < Object.keys(readJson('package-lock.json').packages).length / 3);
  });

  it('do not include, before the payment, packages that only some requests load', () => {
    const first = pathsWith(firstGroups);
    for (const name of ['viem', 'pdfkit', '@x402/evm', '@modelcontextprotocol/server'])
      assert.ok(!first.includes(`node_modules/${name}`), name);
  });

  it('contain only the virtual machines of the selected networks', () => {
    const machines = ['@ton/sandbox', 'litesvm-linux-x64-gnu', '@zktx.io/sui-move-builder'];
    const withMachines = (/** @type {string[]} */ networks) => {
      const present = pathsWith(paymentGroups({}, networks));
      return machines.filter((name) => present.includes(`node_modules/${name}`));
    };
    assert.deepEqual(withMachines(allNetworks), machines);
    assert.deepEqual(withMachines(['tron', 'sui']), ['@zktx.io/sui-move-builder']);
  });

  it('contain the tracing packages only with a collector', () => {
    const tracing = 'node_modules/@opentelemetry/sdk-node';
    assert.ok(!paths.includes(tracing));
    assert.ok(
      pathsWith(paymentGroups({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1' }, [])).includes(tracing),
    );
  });

  it('contain all packages that the examples import', () => {
    const folder = join(repository, 'examples');
    // The guide of the example says to install it.
    const others = ['@modelcontextprotocol/client'];
    const imported = readdirSync(folder)
      .filter((file) => file.endsWith('.mjs'))
      .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(/ from '([^'.][^']*)'/g)])
      .map(([, name = '']) =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      )
      .filter((name) => !name.startsWith('node:') && !name.startsWith('@tollbridge/'));
    assert.ok(imported.includes('mppx'));
    const withExamples = pathsWith([...startGroups, 'examples']);
    for (const name of imported)
      assert.ok(others.includes(name) || withExamples.includes(`node_modules/${name}`), name);
  });

  it('contain all packages that packing the SDK, the paywall and the command line imports', () => {
    const files = ['tools/pack-sdk.mjs', 'tools/pack-paywall.mjs', 'tools/pack-cli.mjs'].concat(
      readdirSync(join(repository, 'tools/pack')).map((file) => `tools/pack/${file}`),
    );
    const imported = files
      .flatMap((file) => [
        ...readFileSync(join(repository, file), 'utf8').matchAll(/(?: from |import\()'([@\w][^']*)'/g),
      ])
      .map(([, name = '']) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? '')
      .filter((name) => !name.startsWith('node:'));
    assert.ok(imported.includes('@swc/core'));
    const packing = pathsWith(packingGroups);
    for (const name of imported) assert.ok(packing.includes(`node_modules/${name}`), name);
  });

  it('list only versions of package.json', () => {
    const { dependencies, devDependencies, optionalDependencies } = readJson('package.json');
    const known = { ...dependencies, ...devDependencies, ...optionalDependencies };
    const groups = Object.keys(groupsOf(readJson('package.json')));
    const { manifest } = installed(groups);
    const listed = { ...manifest.dependencies, ...manifest.optionalDependencies };
    assert.ok(Object.keys(listed).length > 80);
    for (const [name, version] of Object.entries(listed)) assert.equal(version, known[name], name);
  });
});

describe('all packages', () => {
  it('match the lock file, without links to workspaces', () => {
    const whole = readJson('package-lock.json');
    const { manifest, lock } = wholeInstallation(readJson('package.json'), whole);
    const links = Object.values(whole.packages).filter(({ link }) => link).length;
    const workspaces = Object.keys(whole.packages).filter((path) => /^(libs|apps)\//.test(path)).length;
    assert.equal(Object.keys(lock.packages).length, Object.keys(whole.packages).length - links - workspaces);
    assert.equal(manifest.workspaces, undefined);
  });
});

describe('the packages of a fictional project', () => {
  const entry = (/** @type {object} */ more = {}) => ({ version: '1.0.0', ...more });
  const packages = {
    '': entry(),
    'node_modules/app': entry({
      dependencies: { shared: '1' },
      peerDependencies: { needed: '1', tester: '1' },
      peerDependenciesMeta: { tester: { optional: true } },
    }),
    'node_modules/app/node_modules/shared': entry({ dependencies: { deep: '1' } }),
    'node_modules/deep': entry({ dependencies: { app: '1' } }),
    'node_modules/needed': entry(),
    'node_modules/shared': entry(),
    'node_modules/tester': entry(),
    'node_modules/chain': entry({ optionalDependencies: { native: '1' } }),
    'node_modules/native': entry(),
    'node_modules/late': entry({ dependencies: { alias: '2', deep: '1' } }),
    'node_modules/alias': entry({ name: 'empty' }),
  };
  const project = {
    name: 'project',
    version: '1.0.0',
    dependencies: { app: '1.0.0', late: '1.0.0' },
    devDependencies: { tester: '1.0.0' },
    optionalDependencies: { chain: '1.0.0' },
    packageGroups: { local: ['chain'], later: ['late'] },
    overrides: { tester: '$tester', deep: '$app', other: 'npm:empty@1.0.0' },
  };
  const lock = { name: 'project', version: '1.0.0', packages };
  const made = groupInstallation(project, lock, ['apps', 'local']);

  it('follow nested, peer and optional packages, without optional peers and other groups', () => {
    assert.deepEqual(Object.keys(made.lock.packages), [
      '',
      'node_modules/app',
      'node_modules/app/node_modules/shared',
      'node_modules/deep',
      'node_modules/needed',
      'node_modules/chain',
      'node_modules/native',
    ]);
  });

  it('keep an optional package optional, and the overrides that can be resolved', () => {
    assert.deepEqual(made.manifest.optionalDependencies, { chain: '1.0.0' });
    assert.deepEqual(made.manifest.overrides, { deep: '$app', other: 'npm:empty@1.0.0' });
  });

  it('list only missing packages, without references to installed ones', () => {
    const whole = groupInstallation(project, lock, ['apps', 'local', 'later']);
    const missing = missingInstallation(whole, (path) => path in made.lock.packages);
    assert.deepEqual(missing.lock.packages, {
      '': {
        name: 'project',
        version: '1.0.0',
        dependencies: { late: '1.0.0', alias: 'npm:empty@1.0.0' },
        optionalDependencies: {},
      },
      'node_modules/late': entry({ dependencies: { alias: '2' }, optionalDependencies: {} }),
      'node_modules/alias': entry({ name: 'empty', dependencies: {}, optionalDependencies: {} }),
    });
  });
});
