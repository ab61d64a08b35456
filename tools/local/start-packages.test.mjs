import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { repository } from './directory.mjs';
import { startInstallation, wholeInstallation } from './start-packages.mjs';

/** @param {string} name */
const readJson = (name) => JSON.parse(readFileSync(join(repository, name), 'utf8'));

describe('the packages of a start', () => {
  const { manifest, lock } = startInstallation(readJson('package.json'), readJson('package-lock.json'));
  const paths = Object.keys(lock.packages);

  it('contain the packages that run and those that the sandbox deploys', () => {
    for (const name of ['ethers', 'typeorm', '@uniswap/v3-core', '@across-protocol/contracts', '@swc/core'])
      assert.ok(paths.includes(`node_modules/${name}`), name);
  });

  it('exclude packages that only tests and development use', () => {
    const unwanted = ['siwe', 'jest', 'nx', 'typescript', 'eslint', 'twilio', 'lithic', 'solc', '@lifi/sdk'];
    assert.deepEqual(
      paths.filter((path) => unwanted.some((name) => path.endsWith(`node_modules/${name}`))),
      [],
    );
    assert.ok(paths.length < Object.keys(readJson('package-lock.json').packages).length / 2);
  });

  it('contain what the examples import', () => {
    const folder = join(repository, 'examples');
    // Its guide installs it.
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
    for (const name of imported)
      assert.ok(others.includes(name) || paths.includes(`node_modules/${name}`), name);
  });

  it('contain what packing the SDK, the paywall and the command line imports', () => {
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
    for (const name of imported) assert.ok(paths.includes(`node_modules/${name}`), name);
  });

  it('list versions of package.json only', () => {
    const { dependencies, devDependencies, optionalDependencies } = readJson('package.json');
    const known = { ...dependencies, ...devDependencies, ...optionalDependencies };
    for (const [name, version] of Object.entries({
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
    }))
      assert.equal(version, known[name], name);
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

describe('the packages of a made-up project', () => {
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
  };
  const made = startInstallation(
    {
      name: 'project',
      version: '1.0.0',
      dependencies: { app: '1.0.0' },
      devDependencies: { tester: '1.0.0' },
      optionalDependencies: { chain: '1.0.0' },
      sandboxPackages: ['chain'],
      overrides: { tester: '$tester', deep: '$app', other: 'npm:empty@1.0.0' },
    },
    { name: 'project', version: '1.0.0', packages },
  );

  it('follow nested, peer and optional packages, without optional peers', () => {
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
});
