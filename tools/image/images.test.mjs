import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildAll } from '../local/build-all.mjs';
import { defaultDirectory, Directory, repository } from '../local/directory.mjs';
import { filesOfApp, requestsOf } from './app-files.mjs';
import { imagePackages, isNeeded, readPlatform } from './app-packages.mjs';
import { assembleImage } from './assemble.mjs';
import { productionApps } from './production-apps.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const place = mkdtempSync(join(new Directory(defaultDirectory).path, 'image-test-'));
after(() => rmSync(place, { recursive: true }));

const contentOf = (app, platform = 'amd64') => join(place, `${app}-${platform}`);
const write = (app, platform = 'amd64', output = contentOf(app, platform)) =>
  assembleImage({ root: repository, app, output, platform: readPlatform(`linux/${platform}`), links: true });

/** Returns every file below a folder, with relative paths. Links are not followed. */
function treeOf(folder, below = '') {
  return readdirSync(join(folder, below), { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(below, entry.name);
      if (entry.isDirectory()) return treeOf(folder, path);
      return entry.isFile() ? [path] : [];
    })
    .sort();
}

const readJson = (...path) => JSON.parse(readFileSync(join(...path), 'utf8'));

before(async () => {
  await buildAll(() => undefined);
  await Promise.all([
    ...productionApps.map((app) => write(app)),
    write('tee', 'arm64'),
    write('tx-engine', 'arm64'),
  ]);
});

describe('image content', () => {
  for (const app of productionApps) {
    it(`contains no other app, simulator, test, source or package for development: ${app}`, () => {
      const files = treeOf(contentOf(app));
      // The files that the gateway sends to browsers, and the fonts of receipts.
      const sent = app === 'gateway' ? /^apps\/web\/dist\/(?:fonts\/)?[\w.-]+$/ : /^$/;
      const own = files.filter((path) => !path.startsWith('node_modules/') && !sent.test(path));
      const wrong = own.filter(
        (path) =>
          !/^(?:package\.json|sbom\.cdx\.json|deploy\/compose\/healthcheck\.mjs)$/.test(path) &&
          !new RegExp(`^(?:apps/${app}|libs/(?!dev/)[\\w/-]+)/(?:package\\.json|dist/.*\\.js(?:on)?)$`).test(
            path,
          ),
      );
      assert.deepEqual(wrong, []);
      assert.deepEqual(
        own.filter((path) => /\/testing\/|\.spec\.|simulator/.test(path)),
        [],
      );
      const { packageGroups, devDependencies } = readJson(repository, 'package.json');
      const simulators = [
        '@ton/sandbox',
        '@zktx.io/sui-move-builder',
        'smtp-server',
        'mailparser',
        'nodemailer',
      ];
      const present = [...packageGroups.sandbox, ...Object.keys(devDependencies), ...simulators].filter(
        (name) => existsSync(join(contentOf(app), 'node_modules', name, 'package.json')),
      );
      assert.deepEqual(present.filter(isUnneeded(app)), []);
      assert.deepEqual(
        files.filter((path) => /\.(?:map|d\.ts)$/.test(path)),
        [],
      );
    });

    it(`resolves every import inside the image: ${app}`, () => {
      const content = realpathSync(contentOf(app));
      const outside = treeOf(content)
        .filter((path) => /^(?:apps(?!\/web)|libs)\/.*\.js$/.test(path))
        .flatMap((path) => {
          const { resolve } = createRequire(join(content, path));
          return requestsOf(join(content, path))
            .filter((request) => !isBuiltin(request))
            .filter((request) => !resolve(request).startsWith(content + sep));
        });
      assert.deepEqual(outside, []);
    });
  }

  it('contains no native code of tee in service-api, and no TON in stream', () => {
    assert.equal(existsSync(join(contentOf('tee'), 'node_modules/sodium-native')), true);
    assert.equal(existsSync(join(contentOf('service-api'), 'node_modules/sodium-native')), false);
    assert.equal(existsSync(join(contentOf('stream'), 'node_modules/tonweb')), false);
  });

  it('has the same bytes if it is written twice', async () => {
    const again = join(place, 'tee-again');
    await write('tee', 'amd64', again);
    const digests = (folder) =>
      treeOf(folder).map((path) => {
        const bytes = readFileSync(join(folder, path));
        return [path, createHash('sha256').update(bytes).digest('hex')];
      });
    assert.deepEqual(digests(again), digests(contentOf('tee')));
  });

  it('fails for an app that loads an undeclared package', () => {
    const platform = readPlatform('linux/amd64');
    const packages = ['pg', 'left-pad'];
    assert.throws(
      () => imagePackages(repository, { app: 'tee', packages, platform }),
      /tee loads left-pad: add them to the dependencies of package\.json/,
    );
  });

  it('includes data, imports, dynamic imports and resolved files, and omits test harnesses', () => {
    const root = join(place, 'checkout');
    mkdirSync(join(root, 'apps/shop/dist/testing'), { recursive: true });
    const put = (path, text) => writeFileSync(join(root, 'apps/shop/dist', path), text);
    put('main.js', `require("./loaded");\nimport('late');\nrequire.resolve("@scope/page/index.html");`);
    put('loaded.js', `const fs = require("node:fs");`);
    put('testing/harness.js', `require("express");`);
    put('texts.json', '{}');
    put('loaded.js.map', '{}');
    const { files, packages } = filesOfApp(root, 'shop');
    assert.deepEqual([...files].sort(), [
      'apps/shop/dist/loaded.js',
      'apps/shop/dist/main.js',
      'apps/shop/dist/texts.json',
      'apps/shop/package.json',
    ]);
    assert.deepEqual([...packages].sort(), ['@scope/page', 'late']);
    put('main.js', `require("./missing");`);
    assert.throws(() => filesOfApp(root, 'shop'), /\.\/missing in .*main\.js is not compiled/);
  });

  it('keeps licences, and code in folders with names that resemble tests', () => {
    const platform = readPlatform('linux/arm64');
    const needed = (path, isFolder) => isNeeded(path, isFolder, platform);
    assert.deepEqual(
      ['LICENSE.md', 'lib/index.js', 'readme.md', 'index.d.ts', 'index.js.map'].map((path) =>
        needed(path, false),
      ),
      [true, true, false, false, false],
    );
    assert.deepEqual(
      ['test', 'lib/test', 'node_modules', 'prebuilds', 'prebuilds/linux-arm64', 'prebuilds/linux-x64'].map(
        (path) => needed(path, true),
      ),
      [false, true, false, true, true, false],
    );
  });
});

describe('native modules', () => {
  // Bytes 18 and 19 of an ELF file identify the processor.
  const machines = { amd64: 0x3e, arm64: 0xb7 };
  for (const [platform, machine] of Object.entries(machines)) {
    it(`contain only binaries for ${platform}`, () => {
      const native = ['tee', 'tx-engine'].flatMap((app) =>
        treeOf(contentOf(app, platform))
          .filter((path) => /\.(?:node|so|bare|dylib)$/.test(path))
          .map((path) => [path, machineOf(join(contentOf(app, platform), path))]),
      );
      const sodium = native.filter(([path]) => path.includes('/sodium-native/prebuilds/'));
      assert.ok(sodium.length > 0);
      assert.deepEqual(
        native.filter(([, it]) => it !== machine),
        [],
      );
    });
  }

  it('use JavaScript for signatures without a binary, with the same results', () => {
    const load = (platform) =>
      createRequire(join(contentOf('tx-engine', platform), 'package.json'))('secp256k1');
    const [native, script] = [load('amd64'), load('arm64')];
    const key = Buffer.alloc(32, 7);
    const digest = createHash('sha256').update('order').digest();
    const { signature, recid } = script.ecdsaSign(digest, key);
    assert.deepEqual(script.ecdsaRecover(signature, recid, digest), script.publicKeyCreate(key));
    assert.deepEqual(
      Buffer.from(native.ecdsaRecover(signature, recid, digest)),
      Buffer.from(script.ecdsaRecover(signature, recid, digest)),
    );
  });

  function machineOf(path) {
    const head = Buffer.alloc(20);
    readSync(openSync(path, 'r'), head, 0, head.length, 0);
    return head.readUInt16LE(18);
  }
});

describe('sbom.cdx.json', () => {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  for (const format of ['iri-reference', 'idn-email', 'string']) ajv.addFormat(format, true);
  for (const name of ['spdx', 'jsf-0.82']) {
    // The names of these schemas in the document schema.
    const key = `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`;
    ajv.addSchema({ ...readJson(here, 'cyclonedx', `${name}.schema.json`), $id: key });
  }
  const validate = ajv.compile(readJson(here, 'cyclonedx/bom-1.5.schema.json'));

  for (const app of productionApps) {
    it(`conforms to CycloneDX 1.5 and lists exactly the packages of the image of ${app}`, () => {
      const document = readJson(contentOf(app), 'sbom.cdx.json');
      assert.deepEqual([validate(document), validate.errors], [true, null]);
      assert.equal(document.metadata.component.name, `app-${app}`);
      const listed = new Set(document.components.map(({ purl }) => purl));
      const present = treeOf(contentOf(app))
        .filter((path) => /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(path))
        .map((path) => readJson(contentOf(app), path))
        .map(({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`);
      assert.deepEqual([...listed].sort(), [...new Set(present)].sort());
      assert.ok(document.components.every(({ hashes }) => hashes.length > 0));
    });
  }

  it('fails validation with an unknown field, a wrong hash or no format', () => {
    const document = readJson(contentOf('tee'), 'sbom.cdx.json');
    const mutations = [
      (it) => (it.components[0].colour = 'red'),
      (it) => (it.components[0].hashes[0].alg = 'SHA-9'),
      (it) => delete it.bomFormat,
    ];
    for (const mutate of mutations) {
      const wrong = structuredClone(document);
      mutate(wrong);
      assert.equal(validate(wrong), false, String(mutate));
    }
  });
});

/** Returns a check for packages in `devDependencies` that no dependency needs. */
function isUnneeded(app) {
  const { packages } = filesOfApp(repository, app);
  const { lock } = imagePackages(repository, { app, packages, platform: readPlatform('linux/amd64') });
  return (name) => !(`node_modules/${name}` in lock.packages);
}
