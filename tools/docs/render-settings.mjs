import { processSettings } from './process-settings.mjs';

const intro = `<!-- Written by \`npm run docs\` from the settings that the apps declare. Do not edit. -->

# Settings

Use this page to look up a setting: its default, the values that it accepts, and its meaning. [.env.example](../.env.example) has those that a deployment sets first, and [configuration](configuration.md) explains the larger ones.

An app reads its own variables only. It checks them at its start and exits with the name of every variable that is missing or invalid. A secret \`NAME\` may be in a file instead: \`NAME_FILE=path\`. The sandbox has its own default where the table says so.`;

/** Renders docs/settings.md. @param {import('./product.mjs').Product} product */
export function renderSettings(product) {
  const { apps, migrationSettings, provisioningSettings } = product;
  const everyApp = apps.map(({ name }) => name);
  const shared = new Map();
  for (const { name, settings } of apps)
    for (const [variable, setting] of Object.entries(settings)) {
      const row = cells(variable, setting).join(' | ');
      if (!shared.has(variable)) shared.set(variable, new Map());
      shared.get(variable).set(row, [...(shared.get(variable).get(row) ?? []), name]);
    }
  const isShared = (variable) => [...shared.get(variable).values()].flat().length > 1;
  const named = (names) => (names.length === everyApp.length ? 'every app' : names.join(', '));
  const { PROVISIONER_NATS_URL } = provisioningSettings;
  return [
    intro,
    '## Several apps',
    'The last column names the apps that read the setting.',
    table('Setting | Default | Values | Meaning | Apps', [
      ...rowsOf(processSettings).map((row) => `${row} | every app`),
      ...rowsOf(migrationSettings).map((row) => `${row} | migrations`),
      `${rowsOf({ PROVISIONER_NATS_URL })} | \`node apps/pay-orders/dist/provision-streams.js\``,
      ...[...shared]
        .filter(([variable]) => isShared(variable))
        .flatMap(([, rows]) => [...rows].map(([row, names]) => `${row} | ${named(names)}`)),
    ]),
    ...apps.flatMap(({ name, settings, migrationVariable }) => [
      `## ${name}`,
      table('Setting | Default | Values | Meaning', [
        ...rowsOf(Object.fromEntries(Object.entries(settings).filter(([variable]) => !isShared(variable)))),
        ...(migrationVariable ? rowsOf({ [migrationVariable]: migrationUrl(name) }) : []),
      ]),
    ]),
  ].join('\n\n');
}

const migrationUrl = (app) => ({
  description: `PostgreSQL of ${app} under the role that owns its schema, for \`node apps/${app}/dist/migrate.js\` only`,
  accepts: 'URL (postgres, postgresql)',
  isSecret: true,
});

const table = (head, rows) =>
  [head, head.replaceAll(/[^|]+/g, ' - '), ...rows].map((row) => `| ${row} |`).join('\n');

const rowsOf = (settings) =>
  Object.entries(settings).map(([name, setting]) => cells(name, setting).join(' | '));

const cells = (name, setting) => [
  `\`${name}\``,
  defaults(setting),
  values(name, setting),
  setting.description.replaceAll(/[<|]/g, '\\$&'),
];

function defaults({ default: value, sandboxDefault, isSecret }) {
  const given = value === undefined ? 'required' : shown(value);
  if (sandboxDefault === undefined || sandboxDefault === value) return given;
  // These are public keys of the sandbox, which other environments reject.
  return `${given}; in the sandbox ${isSecret ? 'a public one' : shown(sandboxDefault)}`;
}

const shown = (value) => (value === '' ? 'empty' : `\`${value}\``);

function values(name, { accepts, example, isSecret }) {
  const unit = units.find(([end]) => name.endsWith(end))?.[1];
  const bound = accepts ?? (isSecret ? undefined : `such as \`${example}\``);
  return [isSecret ? 'secret' : undefined, [bound, unit].filter(Boolean).join(' ')]
    .filter(Boolean)
    .join(', ');
}

/** Units by the suffix of a name. */
const units = [
  ['_MS', 'ms'],
  ['_PER_SECOND', 'each second'],
  ['_SECONDS', 's'],
  ['_PER_MINUTE', 'each minute'],
  ['_MINUTES', 'minutes'],
  ['_HOURS', 'hours'],
  ['_DAYS', 'days'],
  ['_KB', 'KiB'],
  ['_MB', 'MiB'],
  ['_PERCENT', '%'],
  ['_BPS', 'basis points'],
  ['_USD', 'US dollars'],
  ['_GWEI', 'gwei'],
  ['_MWEI', 'Mwei'],
  ['_MILLICOINS', 'thousandths of a coin'],
  ['_LAMPORTS', 'lamports'],
];
