import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { loadProduct, repository } from './product.mjs';

const require = createRequire(import.meta.url);
const product = loadProduct();
const { gateway, bus } = product;
const url = 'http://127.0.0.1:3000';
const key = 'tb_test_sk_example';
const routes = gateway.gatewayRoutes('sandbox');
const document = gateway.openApiDocument(routes, url, gateway.version);

/** @type {{ id: string, method: string, curl: string, sdk?: string, cli?: string }[]} */
const operations = gateway.referenceGroups(document, routes).flatMap(({ slug, operations: all }) =>
  all.map((operation) => ({
    id: operation.id,
    method: operation.method,
    ...Object.fromEntries(
      gateway
        .codeSamples(operation, slug, { url, isSandbox: true })
        .map(({ language, code }) => [language, code]),
    ),
  })),
);

/** The words of each command line, as bash parses it. @param {string[]} lines @returns {string[][]} */
function wordsOf(lines) {
  const show = 'print() { printf "%s\\0" "$@"; printf "\\1\\0"; }; uuidgen() { echo 1; };';
  const script = `${show} curl() { print "$@"; }; tollbridge() { print "$@"; }\n${lines.join('\n')}`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], {
    encoding: 'utf8',
    env: { TOLLBRIDGE_API_KEY: key },
    maxBuffer: 2 ** 24,
  });
  assert.equal(stderr, '');
  return stdout
    .split('\u0001\0')
    .slice(0, -1)
    .map((words) => words.split('\0').slice(0, -1));
}

/** Parses the request that a curl command sends. @param {string[]} words */
function requestOfCurl([target, ...flags]) {
  const request = { method: 'GET', url: target, headers: {}, body: undefined };
  for (let at = 0; at < flags.length; at++) {
    if (flags[at] === '-X') request.method = flags[++at];
    if (flags[at] === '-d') request.body = JSON.parse(flags[++at]);
    if (flags[at] !== '-H') continue;
    const [, name, value] = /^([^:]+): (.*)$/.exec(flags[++at]);
    request.headers[name.toLowerCase()] = value;
  }
  return request;
}

/** A client that records its requests. @param {object} options */
function recorder(options) {
  const { createClient } = require('@tollbridge/sdk');
  const requests = [];
  const fetch = (target, { method, headers, body }) => {
    requests.push({ method, url: target, headers, body: body === undefined ? undefined : JSON.parse(body) });
    return Promise.reject(new Error('not sent'));
  };
  return { requests, client: createClient({ ...options, retries: 0, fetch }) };
}

/** The request that the SDK sample sends. @param {string} id @param {string} code */
async function requestOfSdk(id, code) {
  const sdk = require('@tollbridge/sdk');
  let requests;
  const createClient = (options) => {
    const recorded = recorder(options);
    ({ requests } = recorded);
    return recorded.client;
  };
  const body = code.replace(/^import .*\n/, '');
  const run = new Function('createClient', id, 'process', 'console', `return (async () => {${body}})();`);
  await run(createClient, sdk[id], { env: { TOLLBRIDGE_API_KEY: key } }, { log() {} }).catch(() => undefined);
  return requests[0];
}

/** The request that the command-line sample sends. @param {string[]} words */
async function requestOfCli([group, name, ...flags], known) {
  const { parseFlags } = require(join(repository, 'libs/cli/src/parse-flags.ts'));
  const { fieldFlags } = require(join(repository, 'libs/cli/src/operation-flags.ts'));
  const { readOperationInput } = require(join(repository, 'libs/cli/src/operation-input.ts'));
  const { globalFlags } = require('@tollbridge/cli');
  const operation = known.find((each) => each.group === group && each.name === name);
  const line = parseFlags(flags, [...fieldFlags(operation), ...globalFlags], { allowsPaths: true });
  const context = { ...line, flag: (flag) => line.flags.get(flag)?.[0] };
  const input = await readOperationInput(operation, context);
  const wallet = context.flag('as-wallet');
  const isPublic = operation.auth === 'public';
  const { requests, client } = recorder({
    baseUrl: url,
    ...(wallet ? { wallet } : !isPublic && { apiKey: key }),
  });
  const given = operation.fields.length > 0 ? [input] : [];
  await require('@tollbridge/sdk')
    [operation.id](client, ...given)
    .catch(() => undefined);
  return requests[0];
}

const comparable = ({ headers, ...request }) => ({
  ...request,
  headers: Object.fromEntries(
    ['authorization', 'x-wallet', 'content-type'].map((name) => [name, headers[name]]),
  ),
});

describe('the samples of the API reference', () => {
  let curls;
  before(() => {
    const words = wordsOf(operations.map(({ curl }) => curl));
    curls = new Map(operations.map(({ id }, at) => [id, words[at]]));
  });

  it('covers every operation with curl, and the operations of the SDK with three samples', () => {
    assert.equal(curls.size, operations.length);
    assert.ok(operations.length > 140);
    const called = product.features.flatMap(({ operations: own }) =>
      Object.values(own).map(({ operationId }) => operationId),
    );
    const missing = called.filter((id) => !operations.find((each) => each.id === id && each.sdk && each.cli));
    assert.deepEqual(missing, []);
  });

  it('sends the method, path, body and credentials that the document declares', () => {
    const { paths } = bus.withPartsInPlace(document);
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { operationId, parameters = [], requestBody }] of Object.entries(methods)) {
        const request = requestOfCurl(curls.get(operationId));
        const pattern = path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/?]+');
        assert.match(request.url, new RegExp(`^${url}${pattern}(\\?|$)`));
        assert.equal(request.method, method.toUpperCase());
        const query = new URL(request.url).searchParams;
        for (const { name, in: place, required } of parameters) {
          if (place === 'query') assert.equal(query.has(name), required, `${operationId} ${name}`);
          if (place === 'header' && required)
            assert.ok(request.headers[name.toLowerCase()], `${operationId} ${name}`);
        }
        const json = requestBody?.content['application/json'];
        if (json) assert.deepEqual(request.body, json.example, operationId);
      }
  });

  it('sends the same request with curl and with the SDK', async () => {
    const functions = operations.filter(({ id, sdk }) => sdk && !id.startsWith('follow'));
    for (const { id, sdk } of functions)
      assert.deepEqual(comparable(await requestOfSdk(id, sdk)), comparable(requestOfCurl(curls.get(id))), id);
  });

  it('sends the same request with curl and with the command line', async () => {
    const { operations: known } = require(join(repository, 'libs/cli/src/generated/api.ts'));
    const commands = operations.filter(({ cli }) => cli);
    const words = wordsOf(commands.map(({ cli }) => cli));
    for (const [at, { id }] of commands.entries())
      assert.deepEqual(
        comparable(await requestOfCli(words[at], known)),
        comparable(requestOfCurl(curls.get(id))),
        id,
      );
  });
});
