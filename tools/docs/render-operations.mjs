/** docs/operations.md @param {import('./product.mjs').Product} product */
export function renderOperations({ bus, features, gateway }) {
  const { errorCodes, contextHeaders, failureHeader } = bus;
  const operations = features.flatMap(({ operations }) => Object.values(operations));
  const common = gateway.errorsOf({ errors: [], hasBody: false, pathFields: [] });
  const withBody = gateway
    .errorsOf({ errors: [], hasBody: true, pathFields: [] })
    .filter((code) => !common.includes(code));
  const withPath = gateway
    .errorsOf({ errors: [], hasBody: false, pathFields: ['id'] })
    .filter((code) => !common.includes(code));
  return [
    '<!-- Written by `npm run docs` from libs/api. Do not edit. -->',
    '# Operations',
    `What the product offers: ${operations.length} operations, each an HTTP route of the gateway and a subject on the bus. Fields and examples are in [openapi.json](openapi.json), which the gateway shows at \`/docs\`.`,
    ...features.flatMap((feature) => [`## ${feature.title}`, tableOf(Object.values(feature.operations))]),
    '## Errors',
    `Beside those in the tables, every operation answers ${list(common)}; one with a body also ${list(withBody)}; one with a path parameter also ${list(withPath)}.`,
    table(
      ['Code', 'Status', 'Meaning'],
      Object.entries(errorCodes).map(([code, [status, sentence]]) => [`\`${code}\``, status, sentence]),
    ),
    '## On the bus',
    `Services call each other by the same subjects: the input is the message, as one JSON object of body, query and path fields, with the headers \`${Object.values(contextHeaders).join('`, `')}\`. The reply is the output as JSON; a failure carries its code in the header \`${failureHeader}\` and \`{code, message, details}\` as its body. In TypeScript, \`BusClient.call(operation, input)\` does this.`,
  ].join('\n\n');
}

function tableOf(operations) {
  return table(
    ['Route', 'What', 'Subject', 'Errors of its own', 'Time-out'],
    operations.map(({ method, path, summary, isSandboxOnly, subject, errors, timeoutMs }) => [
      `\`${method} ${path}\``,
      isSandboxOnly ? `${summary} (sandbox only)` : summary,
      `\`${subject}\``,
      errors.length > 0 ? list(errors) : '',
      `${timeoutMs / 1000} s`,
    ]),
  );
}

const list = (codes) => codes.map((code) => `\`${code}\``).join(', ');

/** A Markdown table. @param {string[]} head @param {unknown[][]} rows */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
