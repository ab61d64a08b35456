// Renders docs/sdk.md with every function of the SDK.
import { table } from '../docs/render-operations.mjs';
import { needsInput } from './operations.mjs';

/** @param {import('./operations.mjs').SdkOperation[]} operations @param {any} document */
export function renderReference(operations, document) {
  const byTag = groupByTag(operations);
  return [
    '<!-- Written by `npm run docs` from libs/contracts. Do not edit: the text is in tools/sdk/render-reference.mjs. -->',
    '# SDK reference',
    introduction(operations.length),
    ...[...byTag].flatMap(([tag, group]) => [`## ${tag}`, tableOf(group, document)]),
    '## Streams',
    table(
      ['Function', 'Gives', 'Ends'],
      [
        [
          '`followOrder(client, { id })`',
          'states of an order, by server-sent events',
          'with the final state',
        ],
        [
          '`followPayment(client, { id })`',
          'states of a payment or payment request, by server-sent events',
          'with the final state',
        ],
        [
          '`followTransaction(client, { transactionId })`',
          'states of a transaction set, by WebSocket',
          'with the final state',
        ],
      ],
    ),
    '## Routes without a function',
    'Pages for payers (`/checkout`, `/l`), Solana Pay, the QR code, the CSV export, `GET /demo/premium` and `POST /payments` are not for API clients: browsers, wallets, spreadsheets, [buyers and sellers](guides/paid-routes.md) call them.',
  ].join('\n\n');
}

function groupByTag(operations) {
  const groups = new Map();
  for (const operation of operations)
    groups.set(operation.tag, [...(groups.get(operation.tag) ?? []), operation]);
  return groups;
}

function tableOf(operations, document) {
  return table(
    ['Function', 'Does', 'Route', 'Own errors'],
    operations.map((operation) => {
      const { name, method, path, summary, described, errors, list } = operation;
      return [
        `\`${name}(${parametersOf(operation, document)})\``,
        `${summary}${list ? ' (pages)' : ''}${described.isSandboxOnly ? ' (sandbox only)' : ''}`,
        `\`${method} ${path}\``,
        errors.map((code) => `\`${code}\``).join(', '),
      ];
    }),
  );
}

function parametersOf(operation, document) {
  const names = Object.keys(operation.input?.properties ?? {}).filter((name) =>
    operation.input.required.includes(name),
  );
  const isShort = !operation.body && names.length > 0;
  if (isShort) return `client, { ${names.join(', ')} }`;
  if (needsInput(operation, document)) return 'client, input';
  return operation.input || operation.body ? 'client, input?' : 'client';
}

const introduction = (
  count,
) => `Use this page to find the function of an operation. [Its README](../libs/sdk/README.md) says how to install \`@tollbridge/sdk\` and what its functions have in common. The fields of inputs and results are those of \`/docs\` and [openapi.json](openapi.json), and are in the types.

${count} functions, one for each operation, named by its \`operationId\`. \`createOrder\` takes \`CreateOrderInput\`, returns \`CreateOrderResult\` and throws \`CreateOrderError\`; the others follow the same rule. Each takes options for one call as its last argument. "Pages" means that \`for await\` reads the whole list. Every function also throws the errors that [all operations](operations.md#errors) have.`;
