import Ajv from 'ajv';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, describe, it } from 'node:test';
import { repository } from '../local/directory.mjs';
import { render } from '../kubernetes/kubectl.mjs';
import { productionApps } from '../image/production-apps.mjs';
import { ensurePrograms } from '../local/server-programs.mjs';
import {
  dashboardFiles,
  expressions,
  folder,
  ruleFiles,
  ruleGroups,
  testFiles,
  usedMetrics,
} from './files.mjs';

const alerts = ruleGroups().flatMap(({ rules }) => rules.filter(({ alert }) => alert));
const names = [...new Set(alerts.map(({ alert }) => alert))];
const page = (/** @type {string} */ path) => readFileSync(join(repository, 'docs/operations', path), 'utf8');
const temporary = mkdtempSync(join(tmpdir(), 'tollbridge-observability-'));
after(() => rmSync(temporary, { recursive: true }));

describe('deploy/observability', () => {
  it('names each alert in one group', () => {
    const namesOfGroups = ruleGroups().flatMap(({ rules }) => [
      ...new Set(rules.flatMap(({ alert = [] }) => alert)),
    ]);
    assert.deepEqual(namesOfGroups, names);
    assert.ok(names.length > 30);
  });

  it('tests for each alert that it fires and that it is silent', () => {
    const tests = testFiles().flatMap(({ content }) => content.tests);
    for (const name of names) {
      const expected = tests
        .flatMap((test) => test.alert_rule_test)
        .filter((test) => test.alertname === name)
        .map((test) => test.exp_alerts.length > 0);
      assert.deepEqual([...new Set(expected)].sort(), [false, true], name);
    }
  });

  it('alerts if an app of a deployment is missing', () => {
    const { expr } = alerts.find(({ alert }) => alert === 'TollbridgeAppMissing');
    assert.deepEqual(
      [...expr.matchAll(/app="([^"]+)"/g)].map(([, app]) => app).sort(),
      [...productionApps].sort(),
    );
  });

  it('passes the schema of the Prometheus operator', async () => {
    const { PrometheusRule } =
      await import('@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule');
    for (const { content } of ruleFiles()) new PrometheusRule(content).validate();
    const [{ content: wrong }] = ruleFiles();
    delete wrong.spec.groups[0].rules[0].expr;
    assert.throws(() => new PrometheusRule(wrong).validate());
  });

  it('renders as a kustomize component with the rules, and a labelled config map for each dashboard', () => {
    const overlay = join(temporary, 'overlay');
    mkdirSync(overlay);
    const text = `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\ncomponents: [${relative(overlay, folder)}]\n`;
    writeFileSync(join(overlay, 'kustomization.yaml'), text);
    const rendered = render(overlay).map(({ kind, metadata }) => [kind, metadata.name, metadata.labels]);
    const label = { grafana_dashboard: '1' };
    assert.deepEqual(
      rendered.filter(([kind]) => kind === 'ConfigMap').sort(),
      ['overview', 'payments', 'platform'].map((name) => ['ConfigMap', `tollbridge-${name}`, label]),
    );
    assert.deepEqual(
      rendered.filter(([kind]) => kind === 'PrometheusRule').map(([, name]) => name),
      ruleFiles().map(({ content }) => content.metadata.name),
    );
  });

  it('lists in metrics.json the metrics of all alerts and panels, and each of them reads a metric', () => {
    const used = usedMetrics();
    assert.deepEqual(JSON.parse(readFileSync(join(folder, 'metrics.json'), 'utf8')), used);
    const known = new RegExp([...Object.keys(used), 'tollbridge:slo_'].join('|'));
    assert.deepEqual(
      expressions().filter((expr) => !known.test(expr) && !expr.startsWith('vector(')),
      [],
    );
  });
});

describe('promtool', () => {
  // The command of the README, because Prometheus without the operator reads only the groups.
  const extract = `sed '1,/^spec:/d; s/^  //'`;
  const groups = join(temporary, 'rules');
  mkdirSync(groups);
  for (const { name } of ruleFiles())
    writeFileSync(
      join(groups, name),
      spawnSync('sh', ['-c', `${extract} "$1"`, 'sh', join(folder, 'rules', name)]).stdout,
    );
  cpSync(join(folder, 'tests'), join(temporary, 'tests'), { recursive: true });

  it('reads rule files with the command of the README', () => {
    assert.ok(readFileSync(join(folder, 'README.md'), 'utf8').includes(extract));
  });

  for (const { name } of ruleFiles())
    it(`accepts ${name}, and its alerts fire and are silent as expected`, async () => {
      const [promtool] = await ensurePrograms(['promtool'], () => undefined);
      const run = (/** @type {string[]} */ ...args) =>
        spawnSync(promtool, args, { cwd: temporary, encoding: 'utf8' });
      const check = run('check', 'rules', `rules/${name}`);
      assert.equal(check.status, 0, check.stdout + check.stderr);
      const test = run('test', 'rules', `tests/${name}`);
      assert.equal(test.status, 0, test.stdout + test.stderr);
    });
});

describe('amtool', () => {
  it('accepts the example configuration', async () => {
    const [amtool] = await ensurePrograms(['amtool'], () => undefined);
    const { status, stdout, stderr } = spawnSync(amtool, ['check-config', 'alertmanager.example.yaml'], {
      cwd: folder,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout + stderr);
  });
});

describe('dashboards', () => {
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

  it('conform to the schema of Grafana, with panels that do not overlap', () => {
    const validate = new Ajv({ strict: false }).compile(schema);
    for (const { name, content } of dashboardFiles()) {
      assert.ok(validate(content), `${name}: ${JSON.stringify(validate.errors)}`);
      const ids = content.panels.map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length, name);
      const cells = content.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (_each, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
      );
      assert.equal(new Set(cells).size, cells.length, name);
    }
  });
});

describe('rules of objectives', () => {
  const windows = ['5m', '30m', '1h', '6h', '3d'];
  // Burn rates of the Site Reliability Workbook. A long window shows a loss of budget, and a short one that it
  // continues.
  const burns = [
    { severity: 'page', factor: 14.4, long: '1h', short: '5m', budget: '2 %' },
    { severity: 'page', factor: 6, long: '6h', short: '30m', budget: '5 %' },
    { severity: 'ticket', factor: 1, long: '3d', short: '6h', budget: '10 %' },
  ];
  const objectives = ruleGroups()
    .filter(({ name }) => name.startsWith('tollbridge-slo-'))
    .map(({ name, rules }) => {
      const exprOf = (/** @type {string} */ record) =>
        rules.find((rule) => rule.record === `tollbridge:${record}`).expr;
      const requests = exprOf('slo_requests:rate1h');
      const errors = exprOf('slo_errors:ratio1h').replace(` / ${requests}`, '');
      const budget = Number(exprOf('slo_budget:ratio').match(/^vector\((.+)\)$/)[1]);
      return { name: name.replace('tollbridge-slo-', ''), rules, exprOf, requests, errors, budget };
    });
  const inWindow = (/** @type {string} */ expr, /** @type {string} */ window) =>
    expr.replaceAll('[1h]', `[${window}]`);

  it('have the same share of errors in every window, with their label', () => {
    assert.equal(objectives.length, 6);
    for (const { name, rules, exprOf, requests, errors } of objectives) {
      for (const window of windows)
        assert.equal(exprOf(`slo_errors:ratio${window}`), inWindow(`${errors} / ${requests}`, window));
      const month = `avg_over_time(tollbridge:slo_errors:ratio1h{slo="${name}"}[30d])`;
      assert.equal(exprOf('slo_errors:ratio30d'), month);
      for (const { labels } of rules.filter(({ record }) => record)) assert.deepEqual(labels, { slo: name });
    }
  });

  it('alert at each burn rate of their budget', () => {
    for (const { name, rules, budget } of objectives) {
      const [{ annotations }] = rules.filter(({ alert }) => alert);
      const objective = annotations.summary.split(' Objective: ')[1];
      const wanted = burns.map(({ severity, factor, long, short, budget: spent }) => {
        const above = (/** @type {string} */ window) =>
          `tollbridge:slo_errors:ratio${window}{slo="${name}"} > ${Number((factor * budget).toFixed(6))}`;
        const busy = ` and tollbridge:slo_requests:rate1h{slo="${name}"} * 3600 >= 10`;
        return {
          expr: `max by (slo) (${above(long)} and ${above(short)}${severity === 'page' ? busy : ''})`,
          labels: { severity, window: long },
          summary: `${spent} of 30 days' error budget was spent within ${long}. Objective: ${objective}`,
        };
      });
      const found = rules
        .filter(({ alert }) => alert)
        .map(({ expr, labels, annotations: { summary } }) => ({ expr, labels, summary }));
      assert.deepEqual(found, wanted, name);
    }
  });

  it('appear in docs/operations/slo.md with the values of the rules', () => {
    for (const { name, rules, requests, errors, budget } of objectives) {
      const [{ annotations }] = rules.filter(({ alert }) => alert);
      const section = page('slo.md').split(`\n## ${name}\n`)[1].split('\n## ')[0];
      assert.ok(section.includes(annotations.summary.split(' Objective: ')[1]), name);
      assert.ok(section.includes(` ${Number((100 * (1 - budget)).toFixed(4))} % `), name);
      for (const expr of [errors, requests]) assert.ok(section.includes(inWindow(expr, '30d')), expr);
    }
  });
});

describe('docs/operations', () => {
  it('contains exactly one runbook with four parts for each alert', () => {
    const sections = page('runbooks.md').split(/^## /m).slice(1);
    const found = sections
      .map((section) => section.split('\n', 1)[0])
      .filter((it) => it.startsWith('Tollbridge'));
    assert.deepEqual([...found].sort(), [...names].sort());
    for (const section of sections.filter((it) => it.startsWith('Tollbridge')))
      for (const part of ['**Meaning.**', '**Check.**', '**Do.**', '**Escalate.**'])
        assert.ok(section.includes(part), `${section.split('\n', 1)[0]}: ${part}`);
  });

  it('has the heading that each alert links to', () => {
    for (const { alert, annotations } of alerts)
      assert.equal(annotations.runbook_url, `docs/operations/runbooks.md#${alert.toLowerCase()}`);
  });
});
