import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { repository } from '../local/directory.mjs';

/** @typedef {{ alert?: string, record?: string, expr: string, labels: Record<string, string>, annotations?: Record<string, string> }} Rule */
/** @typedef {{ name: string, rules: Rule[] }} RuleGroup */

export const folder = join(repository, 'deploy/observability');

const filesOf = (/** @type {string} */ part) =>
  readdirSync(join(folder, part)).map((name) => ({
    name,
    content: parse(readFileSync(join(folder, part, name), 'utf8')),
  }));

/** Each `PrometheusRule`, with the name of its file. */
export const ruleFiles = () => filesOf('rules');
/** Each input of `promtool test rules`. */
export const testFiles = () => filesOf('tests');
export const dashboardFiles = () => filesOf('dashboards');

/** @returns {RuleGroup[]} */
export const ruleGroups = () => ruleFiles().flatMap(({ content }) => content.spec.groups);

/** Expressions of all alerts, recordings and panels. @returns {string[]} */
export const expressions = () => [
  ...ruleGroups().flatMap(({ rules }) => rules.map(({ expr }) => expr)),
  ...dashboardFiles().flatMap(({ content }) =>
    content.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ),
];

/** The metrics in these expressions, with their label names. This is the content of metrics.json. */
export function usedMetrics() {
  /** @type {Map<string, Set<string>>} */
  const used = new Map();
  for (const [name, labels] of expressions().flatMap(metricsOf))
    used.set(name, new Set([...(used.get(name) ?? []), ...labels]));
  return Object.fromEntries([...used].sort().map(([name, labels]) => [name, [...labels].sort()]));
}

const metricForm = /(?<![\w:])((?:tollbridge|http|rpc|messaging|db|nodejs|process)_\w+)(?:\{([^}]*)\})?/g;
const groupForm = /by \(([^)]*)\)/g;

/** @param {string} expr @returns {[string, string[]][]} */
function metricsOf(expr) {
  // Grouping labels belong to the metric of the expression, because no expression joins different metrics.
  const grouped = [...expr.matchAll(groupForm)].flatMap(([, labels]) => labels.split(/,\s*/));
  return [...expr.replace(groupForm, '').matchAll(metricForm)].map(([, name, selector = '']) => {
    const selected = [...selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label);
    return [name, [...selected, ...grouped]];
  });
}
