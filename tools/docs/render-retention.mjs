import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { repository } from './product.mjs';

const require = createRequire(import.meta.url);
const page = 'docs/operations/retention.md';
const [begin, end] = ['<!-- retention: begin -->', '<!-- retention: end -->'];
const platformTables = { merchant: { hasDeadLetterRetries: true } };

/**
 * Returns the page with the tables of every schema, from the retention policies that the entities declare.
 * @param {import('./product.mjs').Product} product
 */
export async function renderRetention({ apps }) {
  const text = readFileSync(join(repository, page), 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has lost its markers ${begin} and ${end}.`);
  const sections = [];
  for (const app of apps) sections.push(...(await sectionOf(app)));
  return `${text.slice(0, from + begin.length)}\n\n${sections.join('\n\n')}\n\n${text.slice(to)}`;
}

async function sectionOf({ name, settings }) {
  const path = join(repository, 'apps', name, 'src/entities.ts');
  // The data of the sandbox needs no retention policy.
  if (!existsSync(path) || name === 'sandbox') return [];
  const { databaseEntities, retentionOf } = require('@tollbridge/database');
  const { getMetadataArgsStorage } = require('typeorm');
  const hasAuditLog = existsSync(join(repository, 'apps', name, 'src/audit-log.ts'));
  const platform = await databaseEntities({ ...platformTables[name], hasAuditLog });
  const rows = [...require(path).entities, ...platform].map((entity) => {
    const [table] = getMetadataArgsStorage().filterTables(entity);
    return `| \`${table.name}\` | ${stays(retentionOf(entity), settings)} |`;
  });
  return [
    `### ${name}`,
    ['| Table | Rows | Which rows, and why |', '| - | - | - |', ...rows.sort()].join('\n'),
  ];
}

function stays(policy, settings) {
  if (policy.kind === 'keep') return `stay | ${policy.reason}`;
  if (policy.kind === 'swept') return `deleted by \`${policy.by}\` | ${policy.rule}`;
  const verb = policy.set === undefined ? 'pruned' : 'cleared';
  const period =
    typeof policy.days === 'number'
      ? `${policy.days} days`
      : `\`${policy.days}\` (${settings[policy.days].default})`;
  return `${verb} after ${period} | ${policy.rule}; counted from \`${policy.column}\``;
}
