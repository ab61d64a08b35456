import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { parse } from 'yaml';
import { loadProduct } from '../docs/product.mjs';
import { repository } from '../local/directory.mjs';
import { releaseProblems } from './check-release.mjs';
import { contains, overlaps, readCidr } from './cidr.mjs';
import { kubectl } from './kubectl.mjs';
import { mutations } from './mutations.mjs';
import { imagesPath, pinnedImages } from './pinned-images.mjs';
import { productionDocuments, sandboxDocuments } from './overlays.mjs';
import { referenceProblems } from './reference-checks.mjs';
import { readRelease } from './release.mjs';
import { budgetOf } from './scaling-checks.mjs';
import { zipEntry } from './zip-entry.mjs';

const directory = mkdtempSync(join(tmpdir(), 'tollbridge-kubernetes-'));
after(() => rmSync(directory, { recursive: true }));

const rendered = { production: productionDocuments(), sandbox: sandboxDocuments(directory) };
// loadProduct must run first, because it makes the source files available.
const { loadConfig } = createRequire(import.meta.url)('@tollbridge/config');
const readme = readFileSync(join(repository, 'deploy/kubernetes/README.md'), 'utf8');

describe('kubectl', () => {
  it('comes from the npm package and renders offline', () => {
    assert.match(
      execFileSync(kubectl(), ['version', '--client'], { encoding: 'utf8' }),
      /Kustomize Version: v5/,
    );
  });
});

for (const environment of /** @type {const} */ (['production', 'sandbox'])) {
  describe(`overlay ${environment}`, () => {
    it('passes the check', async () => {
      assert.deepEqual(await releaseProblems(rendered[environment], { environment }), []);
    });
  });
}

describe('overlay sandbox', () => {
  const release = readRelease(rendered.sandbox);

  it('runs the same servers as docker-compose.yml', () => {
    const read = (/** @type {string} */ path) => readFileSync(join(repository, path), 'utf8');
    const natsVersion = /^ARG NATS_VERSION=(.+)$/m.exec(read('deploy/Dockerfile'))?.[1];
    const images = ['postgres', 'redis', 'nats'].map(
      (name) => release.workloads.find(({ app }) => app === name)?.pod.containers[0].image,
    );
    const expected = ['postgres', 'redis'].map(
      (name) => new RegExp(`image: (${name}:[^@\\s]+)`).exec(read('docker-compose.yml'))?.[1],
    );
    assert.deepEqual(images, [...expected, `nats:${natsVersion}-alpine`]);
  });

  for (const { name, settings } of loadProduct().apps) {
    it(`gives ${name} a configuration that it accepts`, () => {
      const workload = release.apps.find(({ app }) => app === name);
      assert.ok(workload, name);
      const secret = release.of('Secret').find(({ metadata }) => metadata.name === name).stringData;
      const given = Object.entries(release.environment(workload)).map(([key, value]) =>
        key in settings || !key.endsWith('_FILE')
          ? [key, value]
          : [key.slice(0, -5), secret[key.slice(0, -5)]],
      );
      assert.equal(loadConfig(settings, Object.fromEntries(given)).environment, 'sandbox');
    });
  }
});

describe('overlay production', () => {
  it('fails the check before a release if its placeholders were not replaced', async () => {
    const problems = await releaseProblems(rendered.production, { environment: 'production', isFinal: true });
    const expected = [
      /no digest yet/,
      /still the example: 192\.0\.2\.10\/32/,
      /still the example: api\.example\.com/,
    ];
    for (const pattern of expected)
      assert.ok(
        problems.some((problem) => pattern.test(problem)),
        String(pattern),
      );
  });

  it('needs the number of connections that README.md states', () => {
    const { apps } = loadProduct();
    const { needed } = budgetOf(readRelease(rendered.production), { apps, maxConnections: Infinity });
    assert.ok(readme.includes(`${needed} connections`), `README.md must state ${needed} connections`);
  });
});

describe('mutation', () => {
  it('appears in the count of README.md', () => {
    assert.ok(readme.includes(`${mutations.length} mutations`), `${mutations.length} mutations`);
  });

  for (const { name, overlay = 'production', change, problem } of mutations) {
    it(`fails the check: ${name}`, async () => {
      const documents = structuredClone(rendered[overlay]);
      change((kind, wanted) => {
        const found = documents.find((item) => item.kind === kind && item.metadata.name === wanted);
        assert.ok(found, `${kind} ${wanted}`);
        return found;
      }, documents);
      const problems = await releaseProblems(documents, { environment: overlay });
      assert.ok(
        problems.some((text) => problem.test(text)),
        `expected ${problem}, got:\n${problems.join('\n')}`,
      );
    });
  }
});

describe('referenceProblems', () => {
  it('rejects a Service that injects a variable with the name of a setting', () => {
    const release = readRelease(rendered.production);
    const problemsWith = (/** @type {string} */ setting) =>
      referenceProblems(release, { apps: [{ settings: { [setting]: {} } }] });
    assert.deepEqual(problemsWith('STREAM_PORT_NUMBER'), []);
    for (const setting of ['STREAM_PORT', 'GATEWAY_SERVICE_HOST', 'TEE_PORT_9108_TCP_ADDR'])
      assert.match(problemsWith(setting).join(), new RegExp(`collides with the setting ${setting}`));
  });
});

describe('pinnedImages', () => {
  const digest = `sha256:${'4'.repeat(64)}`;

  it('refers to every image of the production overlay by its digest', () => {
    const current = parse(readFileSync(imagesPath, 'utf8'));
    const { images } = parse(pinnedImages(imagesPath, 'registry.test/pay', () => digest));
    assert.deepEqual(
      images,
      current.images.map((/** @type {any} */ { name }) => ({
        name,
        newName: `registry.test/pay/${name.replace('tollbridge/', '')}`,
        digest,
      })),
    );
  });

  it('rejects a registry reply that is not a digest', () => {
    assert.throws(() => pinnedImages(imagesPath, 'registry.test/pay', () => 'latest'), /is not a digest/);
  });
});

describe('zipEntry', () => {
  it('rejects a file that is not an archive, and names a missing file', () => {
    assert.throws(() => zipEntry(Buffer.from('text'), 'kubectl'), /not a zip archive/);
    // The end of the central directory of an empty archive.
    const empty = Buffer.from(`504b0506${'00'.repeat(18)}`, 'hex');
    assert.throws(() => zipEntry(empty, 'kubectl'), /has no kubectl/);
  });
});

describe('readCidr', () => {
  it('compares ranges of both families', () => {
    assert.ok(contains(readCidr('10.0.0.0/8'), readCidr('10.255.0.1/32')));
    assert.ok(!contains(readCidr('10.0.0.0/8'), readCidr('11.0.0.0/32')));
    assert.ok(overlaps(readCidr('2000::/3'), readCidr('2002::/16')));
    assert.ok(!overlaps(readCidr('2000::/3'), readCidr('fd00:ec2::254/128')));
    assert.ok(!overlaps(readCidr('::/0'), readCidr('0.0.0.0/0')));
  });
});
