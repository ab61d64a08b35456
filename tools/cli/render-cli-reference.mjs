// Renders docs/cli.md with every command of the CLI.
import { createRequire } from 'node:module';
import { table } from '../docs/render-operations.mjs';
import { cliOperationsOf } from './render-cli.mjs';

const require = createRequire(import.meta.url);

/** @param {any} product @param {import('../sdk/operations.mjs').SdkOperation[]} all @param {any} document */
export function renderCliReference(product, all, document) {
  // Required after the product, which lets `require` read the sources.
  const { commands, globalFlags, doesOf } = require('@tollbridge/cli');
  const operations = cliOperationsOf(all, document);
  return [
    '<!-- Written by `npm run docs` from libs/cli and libs/contracts. Do not edit: the text is in tools/cli/render-cli-reference.mjs. -->',
    '# Command line',
    introduction,
    '## Commands',
    ...commands.flatMap(commandSection),
    '## Webhooks by trigger',
    triggers,
    table(['Type', 'What `trigger` does'], triggerRows(product, doesOf)),
    '## Operations',
    operationsText(operations.length),
    table(['Group', 'Operations'], groupRows(operations)),
    '## Options of every command',
    flagTable(globalFlags),
    '## Exit codes',
    exitCodes,
    '## Settings',
    settings,
  ].join('\n\n');
}

const introduction = `Use this page to find a command of \`tollbridge\`: it calls every operation, receives webhooks on your machine, pays in the sandbox, shows 402 exchanges and checks a deployment.

In a checkout of this repository, after \`npm start\` or \`npm install\`, \`npx tollbridge\` runs it. \`node tools/pack-cli.mjs\` makes the package, one file without a dependency, which runs on Node.js 20.19 or newer:

\`\`\`sh
node tools/pack-cli.mjs          # prints the path of the tarball
npm install --global /path/to/tollbridge-0.1.0.tgz
\`\`\`

Log in once. In the sandbox the demo merchant is enough:

\`\`\`sh
tollbridge login --sandbox
tollbridge whoami
tollbridge orders --help
\`\`\``;

function commandSection({ name, usage, summary, description, flags, examples }) {
  return [
    `### ${name}`,
    [`${summary}.`, description].filter(Boolean).join(' '),
    `\`\`\`sh\n${examples.join('\n')}\n\`\`\``,
    ...(usage ? [`Argument: \`${usage}\`.`] : []),
    ...(flags.length > 0 ? [flagTable(flags)] : []),
  ];
}

const flagTable = (flags) =>
  table(
    ['Option', 'Effect'],
    flags.map(({ name, value, description }) => [`\`--${name}${value ? ` ${value}` : ''}\``, description]),
  );

const triggers = `\`tollbridge trigger <type>\` does what causes the message, in the sandbox. One cause can send several messages: a paid order is created, settling and settled.`;

const triggerRows = ({ api: { webhookTypes } }, doesOf) =>
  Object.keys(webhookTypes).map((type) => [`\`${type}\``, doesOf(type)]);

const operationsText = (
  count,
) => `Each of the ${count} operations is a command: \`tollbridge <group> <operation>\`, with the fields of its input as options. \`--help\` of a command lists them with an example. Names are those of [the SDK](sdk.md) and of \`operationId\`, with hyphens.

- Options are spelled with hyphens; \`--merchant_amount\` and \`--merchantAmount\` work too. A field of the path may stand without its name: \`tollbridge orders get-order <id>\`.
- A list is given by repeating its option, or as JSON. Members of an object: \`--metadata.cart 4711\`, which is text; numbers in objects are given as JSON.
- \`--data '{…}'\`, \`--data @file.json\` and \`--data -\` give fields as JSON; options win.
- Lists print a table of one page, \`--all\` prints all pages. \`--json\` prints the reply as it is.
- Writes have an idempotency key and are retried safely. After exit code 4 the outcome is unknown: the message has the key for \`--idempotency-key\`.`;

function groupRows(operations) {
  const groups = new Map();
  for (const { group, name } of operations) groups.set(group, [...(groups.get(group) ?? []), name]);
  return [...groups].map(([group, names]) => [`\`${group}\``, names.map((name) => `\`${name}\``).join(', ')]);
}

const exitCodes = table(
  ['Code', 'Meaning'],
  [
    ['0', 'done'],
    ['1', 'the API rejected the call, a check of `doctor` failed, or a payment was not made'],
    ['2', 'the command line is wrong; nothing was sent'],
    ['3', 'not logged in, or the key lacks a permission'],
    ['4', 'no reply: the outcome of a write is unknown'],
    ['130', 'ended by Ctrl-C'],
  ],
);

const settings = `${table(
  ['Variable', 'Effect'],
  [
    ['`TOLLBRIDGE_URL`', 'address of the gateway, instead of that of the profile'],
    ['`TOLLBRIDGE_API_KEY`', 'API key, instead of that of the profile'],
    ['`TOLLBRIDGE_PROFILE`', 'profile to use'],
    ['`TOLLBRIDGE_WEBHOOK_SECRET`', 'signing secret of `listen` and `events replay --forward-to`'],
    ['`XDG_CONFIG_HOME`', 'where `tollbridge/config.json` lies; `~/.config` by default'],
  ],
)}

Profiles and keys are in \`config.json\` with mode 600; a file that other users can read is rejected. A key is sent to the address of its profile only. The file also has the seed of the wallet that pays 402 in the sandbox: it is worthless elsewhere.

Results go to standard output, all else to standard error. With \`--json\`, errors are JSON too.`;
