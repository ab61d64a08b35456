import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { baseImages, isDigest, withDigests } from '../image/base-images.mjs';
import { node24Version } from '../local/node-24.mjs';
import { composePath, readCompose } from './compose-file.mjs';
import { composeFaults } from './compose-rules.mjs';
import { loadProduct, repository } from './product.mjs';

const { apps } = loadProduct();
const { loadConfig } = createRequire(import.meta.url)('@tollbridge/config');
const read = (path) => readFileSync(join(repository, path), 'utf8');
const dockerfile = read('deploy/Dockerfile');

/** A copy of the files that passwords.sh needs, so that the test never changes a developer's .env. */
const folder = mkdtempSync(join(tmpdir(), 'tollbridge-compose-'));
after(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, 'deploy/compose'), { recursive: true });
cpSync(composePath, join(folder, 'docker-compose.yml'));
cpSync(join(repository, 'deploy/compose/passwords.sh'), join(folder, 'deploy/compose/passwords.sh'));
const makePasswords = () => {
  execFileSync('sh', [join(folder, 'deploy/compose/passwords.sh')]);
  const text = readFileSync(join(folder, '.env'), 'utf8');
  return Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => line.split('=')),
  );
};
const passwords = makePasswords();
const { text, file, filled } = readCompose(passwords);
const { services } = filled;
const appServices = apps.map(({ name, settings }) => ({ name, settings, service: services[name] }));

// Variables that any process may get in addition to the settings of its app.
const everywhere = ['TOLLBRIDGE_ENV', 'SANDBOX_EXPOSED', 'LOG_LEVEL', 'OTEL_EXPORTER_OTLP_ENDPOINT'];

// The same values as for `npm start` (tools/local/local-sandbox.mjs). The sandbox app needs less, but a flag for it
// would save little.
const youngMb = { gateway: 16, 'pay-orders': 8, merchant: 8 };

describe('docker-compose.yml', () => {
  it('conforms to the Compose Specification', () => {
    const { $schema, ...schema } = JSON.parse(read('deploy/compose/compose-spec.json'));
    assert.match($schema, /draft-07/);
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats(ajv);
    ajv.addFormat('duration', /^(\d+(us|ms|s|m|h))+$/);
    for (const format of ['expose', 'ports', 'subnet_ip_address']) ajv.addFormat(format, true);
    const validate = ajv.compile(schema);
    assert.deepEqual([validate(file), validate.errors], [true, null]);
    const wrong = structuredClone(file);
    wrong.services.gateway.helthcheck = {};
    wrong.services.nats.restart = 7;
    assert.equal(validate(wrong), false);
  });

  it('declares a service for every app and starts its program', () => {
    for (const { name, service } of appServices) {
      assert.ok(service, `${name} is missing`);
      const young = youngMb[name] ? [`--max-semi-space-size=${youngMb[name]}`] : [];
      assert.deepEqual(service.command, ['node', ...young, `apps/${name}/dist/main.js`]);
      assert.equal(service.image, `tollbridge-${name}`);
      assert.deepEqual([service.build.target, service.build.args], ['app', { APP: name }]);
    }
  });

  for (const { name, settings, service } of appServices) {
    it(`gives ${name} the settings that it needs and no others`, () => {
      const config = loadConfig(settings, service.environment);
      assert.equal(config.environment, 'sandbox');
      const foreign = Object.keys(service.environment).filter(
        (key) => !(key in settings || everywhere.includes(key)),
      );
      assert.deepEqual(foreign, []);
    });

    it(`does not start ${name} without an environment, or as a sandbox that is reachable from other machines`, () => {
      const { TOLLBRIDGE_ENV, SANDBOX_EXPOSED, ...rest } = service.environment;
      assert.equal(SANDBOX_EXPOSED, 'on');
      assert.throws(
        () => loadConfig(settings, rest),
        /TOLLBRIDGE_ENV is missing: .*sandbox, test, production/,
      );
      assert.throws(() => loadConfig(settings, { ...rest, TOLLBRIDGE_ENV }), /MANAGEMENT_HOST lets other/);
      for (const port of service.ports ?? []) assert.match(port, /^127\.0\.0\.1:/);
    });

    it(`connects ${name} to the bus with its own user`, () => {
      const prefix = name.toUpperCase().replaceAll('-', '_');
      const url = new URL(service.environment[`${prefix}_NATS_URL`]);
      assert.deepEqual(
        [url.username, url.password, url.host],
        [name, passwords[`NATS_${prefix}_PASSWORD`], 'nats:4222'],
      );
    });

    it(`checks the readiness of ${name}`, () => {
      const ports = Object.keys(service.environment).filter((key) => key.endsWith('_MANAGEMENT_PORT_NUMBER'));
      assert.equal(ports.length, 1, 'the health check takes the one management port that it finds');
      assert.deepEqual(service.healthcheck.test, ['CMD', 'node', 'deploy/compose/healthcheck.mjs']);
    });
  }

  it('gives the bus, the database and their users the required passwords, and no others', () => {
    const asked = (path) =>
      [...new Set(read(path).match(/\$(NATS|POSTGRES)_\w+_PASSWORD/g))].map((name) => name.slice(1));
    const given = (service, prefix) =>
      Object.keys(service.environment).filter((key) => key.startsWith(prefix) && key.endsWith('_PASSWORD'));
    assert.deepEqual(given(services.nats, 'NATS_').sort(), asked('deploy/nats/users.conf').sort());
    assert.deepEqual(given(services.setup, 'POSTGRES_').sort(), asked('deploy/postgres/roles.sql').sort());
  });

  it('migrates every app that has migrations, as the owner of its schema', () => {
    for (const { name, migrationVariable } of apps.filter((app) => app.migrationVariable)) {
      const url = new URL(services.setup.environment[migrationVariable]);
      const schema = name.replaceAll('-', '_');
      assert.deepEqual(
        [url.username, url.password, url.pathname],
        [`${schema}_owner`, passwords[`POSTGRES_${schema.toUpperCase()}_OWNER_PASSWORD`], '/tollbridge'],
      );
    }
  });

  it('contains no password, and does not start if one is missing', () => {
    assert.deepEqual(text.match(/:\/\/\w[\w-]*:(?!\$\{)[^@\s/]+@/g), null);
    assert.throws(() => readCompose({}), /_PASSWORD is not set: run sh deploy\/compose\/passwords\.sh/);
    const used = new Set(
      [...text.matchAll(/\$\{(\w+_(?:PASSWORD|PEPPER|IDENTITY_SECRET))\b/g)].map(([, name]) => name),
    );
    assert.deepEqual(Object.keys(passwords).sort(), [...used].sort());
  });

  it('publishes ports on 127.0.0.1 only', () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    assert.deepEqual(
      ports.filter((port) => !port.startsWith('127.0.0.1:')),
      [],
    );
    assert.deepEqual(services.gateway.ports, ['127.0.0.1:3000:3000']);
    assert.equal(
      readCompose({ ...passwords, PORT: '3001' }).filled.services.gateway.environment.GATEWAY_PUBLIC_URL,
      'http://127.0.0.1:3001',
    );
  });

  it('waits until its dependencies are healthy', () => {
    for (const [name, { depends_on: needs = {} }] of Object.entries(services)) {
      for (const [needed, { condition }] of Object.entries(needs)) {
        assert.ok(services[needed], `${name} waits for ${needed}, which is not a service`);
        if (condition === 'service_healthy')
          assert.ok(services[needed].healthcheck, `${needed} has no health check`);
        else
          assert.deepEqual([condition, services[needed].restart], ['service_completed_successfully', 'no']);
      }
    }
  });

  it('mounts existing paths and declares exactly the volumes in use', () => {
    const mounts = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.map((volume) => volume.split(':')[0]),
    );
    const paths = mounts.filter((source) => source.startsWith('.'));
    for (const path of paths) assert.ok(existsSync(join(repository, path)), path);
    const named = new Set(mounts.filter((source) => !source.startsWith('.')));
    assert.deepEqual([...named].sort(), Object.keys(filled.volumes).sort());
  });

  const stops = apps.map(({ name, settings }) => ({ name, stopTimeoutMs: settings.STOP_TIMEOUT_MS.default }));

  it('runs no service as root, with a writable image, without limits, or from a mutable image', () => {
    assert.deepEqual(composeFaults(filled, stops), []);
  });

  /** @type {[string, (services: Record<string, any>) => unknown, RegExp][]} */
  const mutations = [
    ['a service without a user', (it) => delete it.postgres.user, /^postgres: needs a user other than root/],
    ['the user root', (it) => (it.gateway.user = '0:0'), /^gateway: needs a user other than root/],
    ['a user by its name', (it) => (it.redis.user = 'redis'), /^redis: needs a user other than root/],
    ['a writable image', (it) => (it.nats.read_only = false), /^nats: must not write to its image/],
    ['kept capabilities', (it) => delete it.setup.cap_drop, /^setup: needs no capabilities/],
    ['an added capability', (it) => (it.tee.cap_add = ['NET_ADMIN']), /^tee: needs no capabilities/],
    ['new privileges', (it) => (it.stream.security_opt = []), /^stream: must not gain rights/],
    ['a privileged service', (it) => (it.tee.privileged = true), /^tee: must not share privileged/],
    [
      "the machine's network",
      (it) => (it.gateway.network_mode = 'host'),
      /^gateway: must not share network_mode/,
    ],
    [
      "Docker's socket",
      (it) => it.sandbox.volumes.push('/var/run/docker.sock:/s'),
      /^sandbox: mounts volumes and files of this repository/,
    ],
    [
      'no memory limit',
      (it) => delete it.redis.deploy.resources.limits.memory,
      /^redis: has no limit of memory/,
    ],
    [
      'no limit of processes',
      (it) => delete it.nanopay.deploy.resources.limits.pids,
      /^nanopay: has no limit of pids/,
    ],
    ['no limits', (it) => delete it['evm-base'].deploy, /^evm-base: has no limit of cpus/],
    ['an endless log', (it) => delete it.merchant.logging, /^merchant: has no limit of its log/],
    ['no health check', (it) => delete it['tx-engine'].healthcheck, /^tx-engine: has no health check/],
    [
      'the tag latest',
      (it) => (it.postgres.image = 'postgres:latest'),
      /^postgres: needs an image of a fixed version/,
    ],
    ['no tag', (it) => (it.postgres.image = 'postgres'), /^postgres: needs an image of a fixed version/],
    [
      'a major version',
      (it) => (it.redis.image = 'redis:7-alpine'),
      /^redis: needs an image of a fixed version/,
    ],
    [
      'a digest of zeros',
      (it) => (it.redis.image += `@sha256:${'0'.repeat(64)}`),
      /^redis: needs an image of a fixed version/,
    ],
    [
      'two builds of an image',
      (it) => (it['evm-arbitrum'].build = it['evm-base'].build),
      /^tollbridge-evm-node is built by evm-base and evm-arbitrum/,
    ],
    ['no build of an image', (it) => delete it.nanopay.build, /^nanopay: would pull an image of ours/],
    [
      'a pull of our image',
      (it) => delete it['evm-arbitrum'].pull_policy,
      /^evm-arbitrum: would pull an image/,
    ],
    [
      'a short time to stop',
      (it) => (it['service-api'].stop_grace_period = '25s'),
      /^service-api: is killed before/,
    ],
  ];
  for (const [title, mutate, fault] of mutations) {
    it(`fails the check with ${title}`, () => {
      const wrong = structuredClone(filled);
      mutate(wrong.services);
      assert.match(composeFaults(wrong, stops)[0] ?? 'no fault', fault);
    });
  }
});

describe('passwords.sh', () => {
  it('creates a different password per user, without special characters, readable only by the owner', () => {
    for (const password of Object.values(passwords)) assert.match(password, /^p[0-9a-f]{40}$/);
    assert.equal(new Set(Object.values(passwords)).size, Object.keys(passwords).length);
    assert.equal(statSync(join(folder, '.env')).mode & 0o777, 0o600);
  });

  it('keeps existing passwords', () => {
    assert.deepEqual(makePasswords(), passwords);
  });
});

describe('Dockerfile', () => {
  const stages = [...dockerfile.matchAll(/^FROM (?:--platform=\S+ )?(\S+) AS (\S+)$/gm)].map(
    ([, base, name]) => ({
      base,
      name,
    }),
  );

  it('declares the stages that docker-compose.yml builds', () => {
    const targets = new Set(Object.values(services).flatMap(({ build }) => (build ? [build.target] : [])));
    const names = stages.map(({ name }) => name);
    assert.deepEqual(
      [...targets].filter((target) => !names.includes(target)),
      [],
    );
    assert.equal(names.at(-1), 'app', 'what is built without a target');
  });

  it('copies existing paths only', () => {
    const copies = [...dockerfile.matchAll(/^COPY (?!--from)(.+)$/gm)].flatMap(([, paths]) =>
      paths.split(' ').slice(0, -1),
    );
    assert.ok(copies.length >= 5);
    for (const path of copies) assert.ok(existsSync(join(repository, path)), path);
  });

  it('runs nothing as root', () => {
    for (const target of ['app', 'setup', 'evm-node', 'nats'])
      assert.equal(userOf(target), '1000:1000', target);
  });

  it('installs packages before it copies sources, without install scripts and not at run time', () => {
    const packages = bodyOf('packages');
    assert.match(packages, /^COPY package\.json package-lock\.json \.npmrc \.\/$/m);
    assert.match(packages, /npm ci --ignore-scripts$/m);
    assert.equal(/^COPY \. /m.test(packages), false);
    assert.match(bodyOf('runtime'), /rm -rf \/usr\/local\/lib\/node_modules /);
  });

  it('creates the content of the app with the script of the boot test, for the platform of the image', () => {
    // With a default value, BuildKit would not set the platform of the image.
    assert.match(bodyOf('content'), /^ARG TARGETPLATFORM$/m);
    assert.match(
      bodyOf('content'),
      /^RUN node tools\/image\.mjs --app "\$\{APP\}" --platform "\$\{TARGETPLATFORM\}" --output \/image$/m,
    );
    assert.deepEqual(
      [...bodyOf('app').matchAll(/^COPY (\S+)/gm)].map(([, from]) => from),
      Array(5).fill('--from=content'),
    );
  });

  it('labels the image, checks its health, and starts its program without a shell', () => {
    for (const label of ['title', 'version', 'revision', 'created', 'licenses'])
      assert.match(bodyOf('app'), new RegExp(`org\\.opencontainers\\.image\\.${label}=`));
    assert.match(bodyOf('app'), new RegExp(`^ARG VERSION=${JSON.parse(read('package.json')).version}$`, 'm'));
    assert.match(bodyOf('app'), /^HEALTHCHECK .*CMD \["node", "deploy\/compose\/healthcheck\.mjs"\]$/m);
    assert.match(bodyOf('app'), /^CMD \["node", "\."\]$/m);
  });

  it('uses the same version of Node.js as npm run test:node24', () => {
    const names = baseImages({ dockerfile, compose: text }).map(({ name }) => name);
    assert.ok(names.includes(`node:${node24Version}-bookworm-slim`), names.join());
  });

  it('excludes secrets and local builds from the image', () => {
    const ignored = read('deploy/Dockerfile.dockerignore').split('\n');
    for (const name of ['.env', '.git', '.tollbridge', '**/node_modules', '**/dist'])
      assert.ok(ignored.includes(name), name);
  });

  /** The lines of a stage. */
  function bodyOf(target) {
    const [, body] = new RegExp(`^FROM .* AS ${target}$([\\s\\S]*?)(?=^FROM |$(?![\\s\\S]))`, 'm').exec(
      dockerfile,
    );
    return body;
  }

  /** The last USER of a stage, or of its base stage. */
  function userOf(target) {
    const stage = stages.find(({ name }) => name === target);
    if (!stage) return 'root';
    return [...bodyOf(target).matchAll(/^USER (\S+)$/gm)].at(-1)?.[1] ?? userOf(stage.base);
  }
});

describe('base images', () => {
  const files = { dockerfile, compose: text };
  const images = baseImages(files);
  const digestOf = (name) => `sha256:${createHash('sha256').update(name).digest('hex')}`;

  it('state full versions, and valid digests', () => {
    assert.ok(images.length >= 4);
    for (const { name, digest } of images) {
      assert.match(name, /:\d+\.\d+(\.\d+)?-/);
      if (digest !== undefined) assert.ok(isDigest(digest), name);
    }
    // Checks that no FROM line and no service names an image in another format.
    const from = [...dockerfile.matchAll(/^FROM (?:--platform=\S+ )?([a-z]+):/gm)].map(([, name]) => name);
    const named = Object.values(filled.services).flatMap(({ image, build }) =>
      build ? [] : [image.split(':')[0]],
    );
    const all = [...from, ...named].filter((name) => !name.startsWith('tollbridge-'));
    assert.deepEqual([...new Set(all)].sort(), images.map(({ name }) => name.split(':')[0]).sort());
  });

  it('get their digests from npm run images:pin in both files', () => {
    const root = mkdtempSync(join(folder, 'pin-'));
    mkdirSync(join(root, 'deploy'));
    writeFileSync(join(root, 'deploy/Dockerfile'), dockerfile.replace(/^(ARG \w+_DIGEST=).*$/gm, '$1'));
    writeFileSync(join(root, 'docker-compose.yml'), text.replaceAll(/@sha256:[0-9a-f]{64}/g, ''));
    const docker = '#!/bin/sh\nprintf "sha256:%s\\n" "$(printf %s "$4" | sha256sum | cut -c1-64)"\n';
    writeFileSync(join(root, 'docker'), docker, { mode: 0o755 });
    const run = (...args) =>
      spawnSync(process.execPath, [join(repository, 'tools/images-pin.mjs'), '--root', root, ...args], {
        env: { ...process.env, PATH: `${root}:${process.env.PATH}` },
        encoding: 'utf8',
      });
    const before = run('--check');
    assert.equal(before.status, 1);
    assert.match(before.stderr, /No digest pins node:.*redis:/);
    assert.equal(run().status, 0);
    assert.deepEqual([run('--check').status, run('--check').stdout], [0, '4 base images are pinned\n']);
    const pinned = {
      dockerfile: readFileSync(join(root, 'deploy/Dockerfile'), 'utf8'),
      compose: readFileSync(join(root, 'docker-compose.yml'), 'utf8'),
    };
    for (const { name, digest } of baseImages(pinned)) assert.equal(digest, digestOf(name), name);
    assert.deepEqual(withDigests(pinned, new Map()), pinned);
  });
});
