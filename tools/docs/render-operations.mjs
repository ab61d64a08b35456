/** Renders docs/operations.md. @param {import('./product.mjs').Product} product */
export function renderOperations({ bus, features, internalFeatures, gateway }) {
  const { errorCodes, contextHeaders, failureHeader } = bus;
  const operations = features.flatMap(({ operations }) => Object.values(operations));
  const plain = { errors: [], auth: 'public', hasBody: false, pathFields: [] };
  const common = gateway.errorsOf(plain);
  const errorsWith = (kind) =>
    gateway.errorsOf({ ...plain, ...kind }).filter((code) => !common.includes(code));
  const withBody = errorsWith({ hasBody: true });
  const withPath = errorsWith({ pathFields: ['id'] });
  const withKey = errorsWith({ auth: { key: 'secret', permission: 'read' } });
  return [
    '<!-- Written by `npm run docs` from libs/contracts. Do not edit. -->',
    '# Operations',
    `${operations.length} operations, each an HTTP route of the gateway and a subject on the bus. Fields and examples are in [openapi.json](openapi.json), which the gateway shows at \`/docs\`.`,
    ...[...groupsOf(features)].flatMap(([title, group]) => [`## ${title}`, tableOf(group)]),
    '## Errors',
    `In addition to those in the tables, every operation may return ${list(common)}; with a body also ${list(withBody)}; with a path parameter also ${list(withPath)}; with a required key also ${list(withKey)}.`,
    table(
      ['Code', 'Status', 'Meaning'],
      Object.entries(errorCodes).map(([code, [status, sentence]]) => [`\`${code}\``, status, sentence]),
    ),
    '## Between services',
    'Operations without a route: only other services can call them.',
    insideTable(internalFeatures.flatMap(({ operations }) => Object.values(operations))),
    '## On the bus',
    `Services call each other by the same subjects: the input is the message, as one JSON object of body, query and path fields, with the headers \`${Object.values(contextHeaders).join('`, `')}\`. The reply is the output as JSON; a failure carries its code in the header \`${failureHeader}\` and \`{code, message, details}\` as its body. In TypeScript, \`BusClient.call(operation, input)\` does this.`,
  ].join('\n\n');
}

/** Groups operations by the tag of their features. */
function groupsOf(features) {
  const groups = new Map();
  for (const { title, operations } of features)
    groups.set(title, [...(groups.get(title) ?? []), ...Object.values(operations)]);
  return groups;
}

function tableOf(operations) {
  return table(
    ['Route', 'Summary', 'Auth', 'Subject', 'Own errors', 'Time-out'],
    operations.map(({ method, path, summary, isSandboxOnly, auth, subject, errors, timeoutMs }) => [
      `\`${method} ${path}\``,
      isSandboxOnly ? `${summary} (sandbox only)` : summary,
      authText(auth),
      `\`${subject}\``,
      errors.length > 0 ? list(errors) : '',
      `${timeoutMs / 1000} s`,
    ]),
  );
}

function authText(auth) {
  if (auth === 'public') return '';
  if ('wallet' in auth) return 'wallet';
  return `${auth.key}, \`${auth.permission}\`${auth.orWallet ? ', or wallet' : ''}`;
}

function insideTable(operations) {
  return table(
    ['Subject', 'Summary', 'Own errors', 'Time-out'],
    operations.map(({ subject, summary, errors, timeoutMs }) => [
      `\`${subject}\``,
      summary,
      list(errors),
      `${timeoutMs / 1000} s`,
    ]),
  );
}

const list = (codes) => codes.map((code) => `\`${code}\``).join(', ');

/** Renders a Markdown table. @param {string[]} head @param {unknown[][]} rows */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
