import { table } from './render-operations.mjs';

const verification = `## Verify an event

A message is an event only when its publisher has signed it. A program of another team needs:

1. an account on NATS: the operator installs the \`users.conf\` of \`node tools/nats-users.mjs --reader analytics=pay-orders\`, and creates the consumer (\`nats --user operator-events --js-api-prefix js consumer add PAY_ORDERS analytics-pay-orders --pull\`). The program connects as \`analytics-events\`, with the prefix \`js\` for requests of JetStream and inboxes below \`_INBOX.analytics\`;
2. an identity: \`node tools/service-identities.mjs\` shows how a secret and its public key are made. The operator lists the public key in \`SERVICE_IDENTITIES_FILE\` and sets \`<APP>_EVENT_RECEIVERS=analytics\` for each publisher. Restart the publishers;
3. the public keys of the publishers, from the same file.

Each message then has the header \`tb-signature-analytics\`. In this repository:

\`\`\`ts
import { EventVerifier, readIdentityDirectory, ServiceIdentity } from '@tollbridge/rpc';

const directory = readIdentityDirectory(readFileSync('identities.json', 'utf8'));
const verifier = new EventVerifier(new ServiceIdentity('analytics', [process.env.ANALYTICS_IDENTITY_SECRET], directory));
for await (const message of messages) {
  verifier.verify('pay-orders', message); // throws EventRejectedError
  handle(JSON.parse(message.string()));
  message.ack();
}
\`\`\`

Elsewhere: the header is \`v1.<publisher>.<key of the publisher>.<key of the receiver>.<time>.<mac>\`.

- A key is named by the first 8 characters of base64url(SHA-256(public key as it stands in the file)). The time is milliseconds since 1970 in base 36.
- The private X25519 key is SHA-256(\`tollbridge service identity v1\\n\` followed by the secret). Z is the X25519 shared secret with the publisher's public key.
- The key K is HKDF-SHA-256 of Z without a salt, 32 bytes, info \`tollbridge event v1 <publisher>.<its key>.<receiver>.<its key>.<hours since 1970>\`.
- The mac is the first 22 characters of base64url(HMAC-SHA-256(K, subject NUL time NUL traceparent NUL body)), with the value of the header \`traceparent\`, or nothing.

Reject a message without the header, of another publisher, or with another mac. Keep the \`id\` of what you handled: an event may come again.`;

/** Renders docs/events.md. @param {import('./product.mjs').Product} product */
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
    verification,
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

/** Returns the event that matches the status of the example data. */
function exampleEvent(data, events, gateway) {
  const { status } = gateway.exampleOf(data);
  const ofClass = events.filter((event) => event.data === data);
  return gateway.exampleEvent(ofClass.find(({ type }) => type.endsWith(`-${status}`)) ?? ofClass[0]);
}
