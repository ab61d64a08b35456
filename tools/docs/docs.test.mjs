import { createConfig, lintFromString } from '@redocly/openapi-core';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generate, outdated } from './generate.mjs';
import { loadProduct } from './product.mjs';

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
  'request-mime-type': { severity: 'error', allowedValues: ['application/json'] },
  'response-mime-type': { severity: 'error', allowedValues: ['application/json'] },
  'response-contains-header': {
    severity: 'error',
    names: { '2xx': ['x-request-id'], '4xx': ['x-request-id'] },
  },
  'tag-description': 'error',
};

async function problemsOf(source) {
  const config = await createConfig({ extends: ['recommended'], rules });
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
}

describe('docs/openapi.json', () => {
  it('has no problem that a linter knows', async () => {
    assert.deepEqual(await problemsOf(generated['docs/openapi.json']), []);
  });

  it('would fail with one', async () => {
    const document = JSON.parse(generated['docs/openapi.json']);
    document.paths['/sandbox'].get.operationId = 'createOrder';
    document.paths['/sandbox'].get.tags = ['Nothing'];
    const found = (await problemsOf(JSON.stringify(document))).map((problem) => problem.split(':')[0]);
    assert.deepEqual([...new Set(found)].sort(), ['operation-operationId-unique', 'operation-tag-defined']);
  });
});

describe('generated files', () => {
  it('are what the declarations say; run: npm run docs', async () => {
    assert.deepEqual(await outdated(), []);
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

  it('hold no password', () => {
    const example = generated['.env.example'];
    const urls = example.match(/\w+:\/\/[^@\s]+@/g);
    assert.ok(urls.length > 5);
    assert.deepEqual(
      urls.filter((url) => !url.endsWith(':REPLACE_ME@')),
      [],
    );
  });

  it('set nothing that has a default', () => {
    const set = [...generated['.env.example'].matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    const all = Object.assign({}, ...product.apps.map(({ settings }) => settings));
    assert.deepEqual(
      set.filter((name) => all[name]?.default !== undefined),
      [],
    );
    assert.equal(new Set(set).size, set.length);
  });
});
