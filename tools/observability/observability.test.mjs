import Ajv from 'ajv';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { outdatedFiles } from '../docs/generated-files.mjs';
import { repository } from '../local/directory.mjs';
import { render } from '../kubernetes/kubectl.mjs';
import { ensurePrograms } from '../local/server-programs.mjs';
import { alerts } from './alerts.mjs';
import { expressions, prometheusRule, ruleGroups, usedMetrics } from './render.mjs';
import { folder, generate } from './generate.mjs';
import { slos } from './slos.mjs';

const names = [...slos.map(({ alert }) => alert), ...alerts.map(({ name }) => name)];
const page = (/** @type {string} */ path) => readFileSync(join(repository, 'docs/operations', path), 'utf8');

describe('deploy/observability', () => {
  it('is current', async () => {
    assert.deepEqual(outdatedFiles(await generate()), []);
  });

  it('names each alert once', () => {
    assert.deepEqual(
      names.filter((name, at) => names.indexOf(name) !== at),
      [],
    );
    assert.ok(names.length > 30);
  });

  it('tests that each alert fires and is silent', () => {
    const tests = ['causes', 'objectives'].flatMap(
      (file) => parse(readFileSync(join(folder, `${file}.test.yaml`), 'utf8')).tests,
    );
    for (const name of names) {
      const expected = tests
        .flatMap((test) => test.alert_rule_test)
        .filter((test) => test.alertname === name)
        .map((test) => test.exp_alerts.length > 0);
      assert.deepEqual([...new Set(expected)].sort(), [false, true], name);
    }
  });

  it('is valid for the Prometheus operator', async () => {
    const { PrometheusRule } =
      await import('@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule');
    new PrometheusRule(prometheusRule()).validate();
    const wrong = prometheusRule();
    // @ts-expect-error a required field
    delete wrong.spec.groups[0].rules[0].expr;
    assert.throws(() => new PrometheusRule(wrong).validate());
  });

  it('renders as a component of kustomize: the rules, and a labelled config map for each dashboard', () => {
    const overlay = mkdtempSync(join(tmpdir(), 'tollbridge-kustomize-'));
    try {
      const component = relative(overlay, folder);
      const text = `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\ncomponents: [${component}]\n`;
      writeFileSync(join(overlay, 'kustomization.yaml'), text);
      const rendered = render(overlay).map(({ kind, metadata }) => [kind, metadata.name, metadata.labels]);
      const label = { grafana_dashboard: '1' };
      assert.deepEqual(
        rendered.filter(([kind]) => kind === 'ConfigMap').sort(),
        ['overview', 'payments', 'platform'].map((name) => ['ConfigMap', `tollbridge-${name}`, label]),
      );
      assert.equal(rendered.filter(([kind]) => kind === 'PrometheusRule').length, 1);
    } finally {
      rmSync(overlay, { recursive: true });
    }
  });

  it('reads metrics by their names, and each alert at least one', () => {
    const used = usedMetrics();
    assert.ok(Object.keys(used).length > 40);
    assert.deepEqual(used['tollbridge_consumer_lag'], ['app', 'consumer']);
    assert.deepEqual(used['tollbridge_order_settle_delay_seconds_bucket'], ['chain', 'le']);
    const known = new RegExp([...Object.keys(used), 'tollbridge:slo_'].join('|'));
    assert.deepEqual(
      expressions().filter((expr) => !known.test(expr) && !expr.startsWith('vector(')),
      [],
    );
  });
});

describe('promtool', () => {
  const run = async (/** @type {string[]} */ ...args) => {
    const [promtool] = await ensurePrograms(['promtool'], () => undefined);
    return spawnSync(promtool, args, { cwd: folder, encoding: 'utf8' });
  };

  for (const file of ['causes', 'objectives']) {
    it(`accepts ${file}.rules.yaml, and its alerts fire and are silent when they should`, async () => {
      const check = await run('check', 'rules', `${file}.rules.yaml`);
      assert.equal(check.status, 0, check.stdout + check.stderr);
      const test = await run('test', 'rules', `${file}.test.yaml`);
      assert.equal(test.status, 0, test.stdout + test.stderr);
    });
  }
});

describe('amtool', () => {
  it('accepts the example of a configuration', async () => {
    const [amtool] = await ensurePrograms(['amtool'], () => undefined);
    const { status, stdout, stderr } = spawnSync(amtool, ['check-config', 'alertmanager.example.yaml'], {
      cwd: folder,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout + stderr);
  });
});

describe('dashboards', () => {
  const files = ['overview', 'payments', 'platform'].map((name) => `dashboards/tollbridge-${name}.json`);
  const schema = {
    type: 'object',
    required: ['uid', 'title', 'schemaVersion', 'panels', 'templating'],
    properties: {
      panels: {
        type: 'array',
        minItems: 5,
        items: {
          type: 'object',
          required: ['id', 'type', 'title', 'gridPos'],
          properties: {
            targets: { type: 'array', minItems: 1, items: { required: ['expr', 'refId', 'datasource'] } },
          },
        },
      },
    },
  };

  it('are dashboards of Grafana with panels that do not overlap', () => {
    const validate = new Ajv({ strict: false }).compile(schema);
    for (const file of files) {
      const dashboard = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      assert.ok(validate(dashboard), `${file}: ${JSON.stringify(validate.errors)}`);
      const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (_each, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
      );
      assert.equal(new Set(cells).size, cells.length, file);
    }
  });
});

describe('docs/operations', () => {
  it('has a runbook of each alert and of nothing else, with the four parts', () => {
    const sections = page('runbooks.md').split(/^## /m).slice(1);
    const found = sections
      .map((section) => section.split('\n', 1)[0])
      .filter((it) => it.startsWith('Tollbridge'));
    assert.deepEqual([...found].sort(), [...names].sort());
    for (const section of sections.filter((it) => it.startsWith('Tollbridge')))
      for (const part of ['**Meaning.**', '**Check.**', '**Do.**', '**Escalate.**'])
        assert.ok(section.includes(part), `${section.split('\n', 1)[0]}: ${part}`);
  });

  it('states each objective as the rules have it', () => {
    for (const { what, name, errors, requests } of slos) {
      assert.ok(page('slo.md').includes(what), what);
      for (const expr of [errors, requests])
        assert.ok(page('slo.md').includes(expr.replaceAll('[W]', '[30d]')), `${name}: ${expr}`);
    }
  });

  it('links from each rule to a heading that exists', () => {
    const links = ruleGroups().flatMap(({ rules }) =>
      rules.flatMap((rule) => ('annotations' in rule ? [rule.annotations.runbook_url] : [])),
    );
    const headings = [...page('runbooks.md').matchAll(/^## (\S+)$/gm)].map(([, it]) => it.toLowerCase());
    for (const link of links) assert.ok(headings.includes(link.split('#')[1]), link);
  });
});
