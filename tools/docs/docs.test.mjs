import { createConfig, lintFromString } from '@redocly/openapi-core';
import specs from '@asyncapi/specs';
import Ajv from 'ajv';
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { generate } from './generated-docs.mjs';
import { outdatedFiles } from './generated-files.mjs';
import { loadProduct, repository } from './product.mjs';

const product = loadProduct();
const generated = await generate();

// Additional linter rules, which keep generated clients easy to use.
const rules = {
  // The rule mistakes `checkout-options` in the specification for the method OPTIONS.
  'no-http-verbs-in-paths': 'off',
  'component-name-unique': 'error',
  'operation-operationId-unique': 'error',
  'operation-singular-tag': 'error',
  'operation-tag-defined': 'error',
  'path-params-defined': 'error',
  'request-mime-type': {
    severity: 'error',
    allowedValues: ['application/json', 'application/x-www-form-urlencoded', 'application/octet-stream'],
  },
  'response-mime-type': {
    severity: 'error',
    allowedValues: [
      'application/json',
      // JSON media types that RFC 9457 and the scheme `Payment` define.
      'application/problem+json',
      'text/csv',
      'text/event-stream',
      'text/html',
      'image/png',
      'application/pdf',
      'application/octet-stream',
    ],
  },
  'response-contains-header': {
    severity: 'error',
    names: { '2xx': ['x-request-id'], '4xx': ['x-request-id'] },
  },
  'tag-description': 'error',
};

async function lint(source) {
  const config = await createConfig({ extends: ['recommended'], rules });
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  // Merchants send the replies to webhooks, so these contain no request id of the gateway.
  const isTheirs = ({ ruleId, location }) =>
    ruleId === 'response-contains-header' && location[0]?.pointer?.startsWith('#/webhooks/');
  // Redirects and the upgrade to a WebSocket have other success statuses.
  const { paths } = JSON.parse(source);
  const succeedsOtherwise = ({ ruleId, location }) => {
    const [, path, method] = location[0]?.pointer?.slice(2).split('/') ?? [];
    const responses = paths[path?.replaceAll('~1', '/')]?.[method]?.responses ?? {};
    return ruleId === 'operation-2xx-response' && ('303' in responses || '101' in responses);
  };
  return problems
    .filter((problem) => !isTheirs(problem) && !succeedsOtherwise(problem))
    .map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
}

describe('docs/openapi.json', () => {
  it('passes the linter', async () => {
    assert.deepEqual(await lint(generated['docs/openapi.json']), []);
  });

  it('fails the linter with a broken document', async () => {
    const { paths, ...document } = JSON.parse(generated['docs/openapi.json']);
    const createOrder = '/api/v1/pay/create-order';
    // Two paths are enough for this test and are read quickly.
    document.paths = { [createOrder]: paths[createOrder], '/sandbox': paths['/sandbox'] };
    document.paths['/sandbox'].get.operationId = paths[createOrder].post.operationId;
    document.paths['/sandbox'].get.tags = ['Nothing'];
    const found = (await lint(JSON.stringify(document))).map((problem) => problem.split(':')[0]);
    // The components of the removed paths are unused now.
    const expected = ['no-unused-components', 'operation-operationId-unique', 'operation-tag-defined'];
    assert.deepEqual([...new Set(found)].sort(), expected);
  });
});

describe('types generated from docs/openapi.json', () => {
  it('compile a client, narrow its replies, and reject calls that the API rejects', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollbridge-types-'));
    try {
      const types = astToString(await openapiTS(generated['docs/openapi.json']));
      writeFileSync(join(folder, 'api.ts'), types);
      copyFileSync(join(repository, 'tools/docs/typed-client.ts.txt'), join(folder, 'client.ts'));
      const options = {
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        target: ts.ScriptTarget.ES2022,
        types: [],
      };
      const program = ts.createProgram([join(folder, 'client.ts')], options);
      const problems = ts.getPreEmitDiagnostics(program).map(({ messageText, start, file }) => {
        const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
        return `${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
      });
      assert.deepEqual(problems, []);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('docs/asyncapi.json', () => {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  // The AsyncAPI schema already includes the meta-schema of JSON Schema.
  const validate = new Ajv({
    strict: false,
    meta: false,
    validateSchema: false,
    validateFormats: false,
  }).compile(specs.schemas['3.0.0']);
  const document = () => JSON.parse(generated['docs/asyncapi.json']);

  it('conforms to AsyncAPI 3.0', () => {
    assert.deepEqual([validate(document()), validate.errors], [true, null]);
  });

  it('fails the schema with a broken document', () => {
    const wrong = document();
    wrong.operations.subscribe.action = 'listen';
    assert.equal(validate(wrong), false);
    const other = document();
    delete other.channels.transactionStream.messages.subscribe.$ref;
    other.channels.transactionStream.messages.subscribe.payload = 7;
    assert.equal(validate(other), false);
  });

  it('contains no broken reference', () => {
    const whole = document();
    const refs = [...generated['docs/asyncapi.json'].matchAll(/"\$ref": "#\/([^"]+)"/g)].map(
      ([, path]) => path,
    );
    assert.ok(refs.length > 50);
    const missing = refs.filter(
      (path) => path.split('/').reduce((part, name) => part?.[name], whole) === undefined,
    );
    assert.deepEqual(missing, []);
  });

  it('contains every event and message, with a valid example', () => {
    const whole = document();
    const addresses = Object.values(whole.channels).map(({ address }) => address);
    for (const { subject, isPerAggregate } of product.events)
      assert.ok(addresses.includes(isPerAggregate ? `${subject}.{aggregateId}` : subject), subject);
    for (const { path } of [...product.channels, ...product.eventStreams])
      assert.ok(addresses.includes(path), path);
    for (const [name, { payload, examples }] of Object.entries(whole.components.messages)) {
      const check = ajv.compile({ ...payload, components: whole.components });
      assert.deepEqual([name, check(examples[0].payload), check.errors], [name, true, null]);
    }
  });
});

describe('generated files', () => {
  it('match the declarations; run: npm run docs', async () => {
    assert.deepEqual(outdatedFiles(await generate()), []);
  });

  it('contain every operation, event and setting', () => {
    const operations = product.features.flatMap((feature) => Object.values(feature.operations));
    for (const { method, path, subject } of operations) {
      assert.ok(generated['docs/operations.md'].includes(`\`${method} ${path}\``), path);
      assert.ok(generated['docs/operations.md'].includes(`\`${subject}\``), subject);
    }
    for (const event of product.events) {
      const written = `${event.subject}${event.isPerAggregate ? '.<aggregateId>' : ''}`;
      assert.ok(generated['docs/events.md'].includes(`\`${written}\``), written);
      assert.ok(generated['docs/events.md'].includes(`\`${product.bus.subjectPattern(event)}\``), written);
    }
    for (const { settings } of product.apps)
      for (const name of Object.keys(settings))
        assert.match(generated['docs/settings.md'], new RegExp(`^\\| \`${name}\` `, 'm'));
  });

  it('explain every error code', () => {
    for (const code of Object.keys(product.bus.errorCodes))
      assert.ok(generated['docs/errors.md'].includes(`\n## ${code}\n`), code);
  });

  it('contain no password', () => {
    const urls = (path) => generated[path].match(/\w+:\/\/[^@\s]+@/g) ?? [];
    assert.ok(urls('.env.example').length > 5);
    assert.deepEqual(
      urls('.env.example').filter((url) => !url.endsWith(':REPLACE_ME@')),
      [],
    );
    assert.deepEqual(urls('docs/settings.md'), []);
  });
});

describe('docs/settings.md', () => {
  const cellsOf = (name) =>
    new RegExp(`^\\| \`${name}\` .*`, 'm')
      .exec(generated['docs/settings.md'])[0]
      .split(' | ')
      .map((cell) => cell.trim());

  it('shows the default, the limit with its unit, and the description', () => {
    const [, byDefault, values, meaning] = cellsOf('GATEWAY_REDIS_TIMEOUT_MS');
    assert.deepEqual([byDefault, values], ['`250`', '5 to 10000 ms']);
    assert.match(meaning, /^how long a request waits/);
    assert.deepEqual(cellsOf('MERCHANT_DATABASE_POOLING').slice(1, 3), ['`session`', 'session, transaction']);
  });

  it('marks each secret, and shows no secret value', () => {
    for (const { settings } of product.apps)
      for (const [name, { isSecret, sandboxDefault }] of Object.entries(settings))
        if (isSecret) {
          assert.match(cellsOf(name)[2], /^secret/, name);
          if (sandboxDefault) assert.ok(!generated['docs/settings.md'].includes(sandboxDefault), name);
        }
  });
});

describe('.env.example', () => {
  const example = generated['.env.example'];
  const deployed = product.apps.filter(({ name }) => name !== 'sandbox');
  const namesIn = (pattern) => [...example.matchAll(pattern)].map(([, name]) => name);

  it('has the settings without a default and the common ones, at most 35', () => {
    const declared = deployed.flatMap(({ settings }) =>
      Object.entries(settings)
        .filter(([, setting]) => setting.default === undefined || setting.isCommon)
        .map(([name]) => name),
    );
    const names = namesIn(/^(?:# )?([A-Z_]+)=/gm);
    assert.deepEqual([...names].sort(), [...new Set(['TOLLBRIDGE_ENV', ...declared])].sort());
    assert.ok(names.length <= 35, `${names.length} settings`);
  });

  it('sets every variable that an app outside of the sandbox needs', () => {
    const env = Object.fromEntries([...example.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, ...entry]) => entry));
    for (const { name, settings } of deployed)
      assert.throws(
        () => product.loadConfig(settings, { ...env, TOLLBRIDGE_ENV: 'production' }),
        ({ problems }) => problems.every((problem) => !problem.includes(' is missing')),
        name,
      );
  });

  it('sets no variable that has a default', () => {
    const withDefault = deployed.flatMap(({ settings }) =>
      Object.keys(settings).filter((name) => settings[name].isCommon),
    );
    assert.deepEqual(namesIn(/^# ([A-Z_]+)=/gm), withDefault);
  });

  it('explains each setting in one line', () => {
    const entries = example.split('\n').filter((line) => /^(# )?[A-Z_]+=/.test(line));
    for (const entry of entries) assert.match(example, new RegExp(`\n# [^-\n][^\n]+\n${escaped(entry)}\n`));
  });
});

const escaped = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
