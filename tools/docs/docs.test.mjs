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
import { generate } from './generate.mjs';
import { outdatedFiles } from './generated-files.mjs';
import { loadProduct, repository } from './product.mjs';

const product = loadProduct();
const generated = await generate();

// Beyond what the linter recommends: rules by which a generated client stays good to use.
const rules = {
  // It takes the specification's `checkout-options` for the verb OPTIONS.
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
      // What RFC 9457 and the scheme `Payment` say, in JSON.
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
  // What receivers of webhooks answer is theirs: it carries no request id of ours.
  const isTheirs = ({ ruleId, location }) =>
    ruleId === 'response-contains-header' && location[0]?.pointer?.startsWith('#/webhooks/');
  // Redirects and the upgrade to a WebSocket succeed with another status.
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
    // Two paths are enough for it, and are read in a moment.
    document.paths = { [createOrder]: paths[createOrder], '/sandbox': paths['/sandbox'] };
    document.paths['/sandbox'].get.operationId = paths[createOrder].post.operationId;
    document.paths['/sandbox'].get.tags = ['Nothing'];
    const found = (await lint(JSON.stringify(document))).map((problem) => problem.split(':')[0]);
    // The components of the other paths are unused now.
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
  // It brings the meta-schema of JSON Schema along.
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

  it('has no broken reference', () => {
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

  it('has every event and message, with a valid example', () => {
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

  it('name every operation, event and setting', () => {
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
        assert.match(generated['.env.example'], new RegExp(`^(# )?${name}=`, 'm'));
  });

  it('explain every error code', () => {
    for (const code of Object.keys(product.bus.errorCodes))
      assert.ok(generated['docs/errors.md'].includes(`\n## ${code}\n`), code);
  });

  it('contain no password', () => {
    const example = generated['.env.example'];
    const urls = example.match(/\w+:\/\/[^@\s]+@/g);
    assert.ok(urls.length > 5);
    assert.deepEqual(
      urls.filter((url) => !url.endsWith(':REPLACE_ME@')),
      [],
    );
  });

  it('set no variable that has a default', () => {
    const set = [...generated['.env.example'].matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    const all = Object.assign({}, ...product.apps.map(({ settings }) => settings));
    assert.deepEqual(
      set.filter((name) => all[name]?.default !== undefined),
      [],
    );
    assert.equal(new Set(set).size, set.length);
  });
});
