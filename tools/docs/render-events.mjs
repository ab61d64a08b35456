import { table } from './render-operations.mjs';

/** docs/events.md @param {import('./product.mjs').Product} product */
export function renderEvents({ bus, events, gateway }) {
  const apps = [...new Set(events.map(({ app }) => app))];
  const classes = [...new Set(events.map(({ data }) => data))];
  return [
    '<!-- Written by `npm run docs` from libs/contracts. Do not edit. -->',
    '# Events',
    'What services publish on the bus. An event is stored in the same transaction as its change, and published until JetStream has it: delivery is at least once.',
    ...apps.flatMap((app) => eventsOf(app, bus, events)),
    '## Envelope',
    'Every event is a JSON object of these fields.',
    table(
      ['Field', 'Type', 'Meaning'],
      Object.entries(bus.envelopeSchema.properties).map(([name, { type, format, description }]) => [
        `\`${name}\``,
        format ?? type,
        description,
      ]),
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
    `Stream \`${streamOf(app)}\`, subjects \`${eventPrefix(app)}.>\`. It holds acknowledged events for \`${streamOf(app)}_STREAM_MAX_AGE_HOURS\`, or what fits into \`${streamOf(app)}_STREAM_MAX_MB\`; the outbox table of ${app} stores events for RETENTION_OUTBOX_DAYS.`,
    table(['Event', 'Subject', 'When', 'Data'], rows),
    ...patterns.map(
      (pattern) =>
        `Where the subject ends with \`aggregateId\`, subscribe to it for one aggregate, or to \`${pattern}\` for all.`,
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
  const { status } = gateway.exampleOf(data);
  const ofClass = events.filter((event) => event.data === data);
  return gateway.exampleEvent(ofClass.find(({ type }) => type.endsWith(`-${status}`)) ?? ofClass[0]);
}
