import { table } from './render-operations.mjs';

const envelope = [
  [
    'id',
    'uuid',
    'Unique; also the JetStream message id (`Nats-Msg-Id`). Keep it: the same event may be delivered again',
  ],
  ['type', 'string', 'The name in the tables above'],
  [
    'version',
    'integer',
    'Of the type: a change that would break readers gets a new version, and a subject of its own',
  ],
  ['aggregateId', 'string', 'What changed: the id of the order, of the key, or of the set of transactions'],
  [
    'aggregateVersion',
    'integer',
    'Counts the changes of that one thing; its events are published in this order',
  ],
  ['occurredAt', 'string', 'ISO 8601, UTC'],
  ['requestId', 'string', 'The request that caused it, as in the logs'],
  ['traceparent', 'string', 'Its W3C trace'],
  ['data', 'object', 'See below'],
];

/** docs/events.md @param {import('./product.mjs').Product} product */
export function renderEvents({ bus, events, gateway }) {
  const apps = [...new Set(events.map(({ app }) => app))];
  const classes = [...new Set(events.map(({ data }) => data))];
  return [
    '<!-- Written by `npm run docs` from libs/api. Do not edit. -->',
    '# Events',
    'What services tell on the bus after it has happened. An event is stored in the same transaction as the change that it tells, and published until JetStream has it: none is lost, and one may come twice.',
    ...apps.flatMap((app) => eventsOf(app, bus, events)),
    '## Envelope',
    'Every event is a JSON object of these fields.',
    table(
      ['Field', 'Type', 'Meaning'],
      envelope.map(([name, ...rest]) => [`\`${name}\``, ...rest]),
    ),
    ...classes.flatMap((data) => dataOf(data, bus, events, gateway)),
  ].join('\n\n');
}

function eventsOf(app, { streamOf, eventPrefix, subjectPattern }, events) {
  const own = events.filter((event) => event.app === app);
  const rows = own.map(({ type, subject, summary, data, isPerAggregate }) => [
    `\`${type}\``,
    `\`${subject}${isPerAggregate ? '.<aggregateId>' : ''}\``,
    summary,
    `[${data.name}](#${data.name.toLowerCase()})`,
  ]);
  const patterns = own.filter(({ isPerAggregate }) => isPerAggregate).map(subjectPattern);
  return [
    `## ${app}`,
    `Stream \`${streamOf(app)}\`, subjects \`${eventPrefix(app)}.>\`. It holds seven days; what is older is in the outbox table of ${app}.`,
    table(['Event', 'Subject', 'When', 'Data'], rows),
    ...patterns.map(
      (pattern) =>
        `Where the subject ends with \`aggregateId\`, who wants to hear of one thing subscribes to its subject, and who wants to hear of all to \`${pattern}\`.`,
    ),
  ];
}

function dataOf(data, { fieldsOf }, events, gateway) {
  const rows = fieldsOf(data).map(({ name, schema, isOptional }) => [
    `\`${name}\``,
    [schema.type].flat().join(' or ') + (isOptional ? ', optional' : ''),
    schema.enum
      ? `${schema.description}: ${schema.enum.map((value) => `\`${value}\``).join(', ')}`
      : schema.description,
  ]);
  return [
    `## ${data.name}`,
    table(['Field', 'Type', 'Meaning'], rows),
    'Example:',
    `\`\`\`json\n${JSON.stringify(exampleEvent(data, events, gateway), null, 2)}\n\`\`\``,
  ];
}

/** The event whose name goes with the example of its data. */
function exampleEvent(data, events, gateway) {
  const example = gateway.exampleOf(data);
  const ofClass = events.filter((event) => event.data === data);
  const { type, version } = ofClass.find((event) => event.type.endsWith(`-${example.status}`)) ?? ofClass[0];
  return {
    id: '0198f3a4-1d20-7b6e-8f11-5a9c3e7d2b40',
    type,
    version,
    aggregateId: example.order_id ?? example.transactionId,
    aggregateVersion: example.version,
    occurredAt: example.updated_at ?? new Date(example.timestamp * 1_000).toISOString(),
    requestId: 'req_9f86d081884c7d659a2feaa0',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00',
    data: example,
  };
}
