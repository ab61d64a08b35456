// Who may do what on NATS, as a table, and the server's configuration made from it.

/**
 * What each app is called on the bus, and the purposes of its consumers, which are named `<app>-<purpose>`. A new
 * consumer gets its line here: NATS has no wildcard for a part of a name.
 * `hears` are events of others that an app listens to as they are published, without a consumer.
 * What faces the public publishes no events: whoever takes over such a process cannot forge any.
 * @type {Record<string, { publishesEvents: boolean, consumers: string[], hears?: string[], commandsEnclave?: boolean }>}
 */
export const natsApps = {
  // It forgets what it remembers of a key that changed, or of a session that was revoked.
  gateway: {
    publishesEvents: false,
    consumers: [],
    hears: ['events.merchant.api-key-changed.>', 'events.merchant.session-revoked.>'],
  },
  'tx-engine': { publishesEvents: true, consumers: [] },
  'pay-orders': { publishesEvents: true, consumers: [] },
  merchant: { publishesEvents: true, consumers: ['orders', 'transactions', 'purchases', 'payouts'] },
  // A call that waits for a code hears that another process was told of it.
  'service-api': {
    publishesEvents: true,
    consumers: [],
    hears: ['events.service-api.purchase-changed.>'],
  },
  // It alone tells the enclave what has arrived on the chain, and whom the gateway has recognised.
  nanopay: { publishesEvents: true, consumers: [], commandsEnclave: true },
  tee: { publishesEvents: true, consumers: [] },
  // Its sockets are the public's, as those of the gateway.
  stream: { publishesEvents: false, consumers: [], hears: ['events.tx-engine.transaction-updated.v1.*'] },
  sandbox: { publishesEvents: true, consumers: [] },
};

/** May do everything: tests and people. No app gets its password. */
export const natsOperator = 'operator';

export const natsUsers = [...Object.keys(natsApps), natsOperator];

/** @param {string} user */
export const natsPasswordVariable = (user) => `NATS_${user.toUpperCase().replaceAll('-', '_')}_PASSWORD`;

/** @param {string} app */
export const streamOf = (app) => app.toUpperCase().replaceAll('-', '_');

/** The content of deploy/nats/users.conf. */
export function renderNatsUsers() {
  const users = [...Object.keys(natsApps).map(renderApp), renderOperator()];
  return [
    '# Written by `node tools/nats-users.mjs` from the table in tools/local/nats-users.mjs. Do not edit.',
    'authorization {',
    '  users = [',
    users.join('\n'),
    '  ]',
    '}',
    '',
  ].join('\n');
}

/** @param {string} app */
function renderApp(app) {
  return `    {
      user: ${app}
      password: $${natsPasswordVariable(app)}
      permissions {
        publish { allow: ${renderList(mayPublish(app))}${renderDenied(app)} }
        subscribe { allow: ${renderList([`op.${app}.>`, `_INBOX.${app}.>`, ...(natsApps[app].hears ?? [])])} }
        # One answer to each request, within the longest time that a call may wait.
        allow_responses { max: 1, expires: "5m" }
      }
    }`;
}

// What the enclave believes of who asks; payments themselves prove who pays, and anybody may send them.
const enclaveCommands = ['op.tee.accounts.>', 'op.tee.money.>'];

/** @param {string} app */
const renderDenied = (app) => (natsApps[app].commandsEnclave ? '' : `, deny: ${renderList(enclaveCommands)}`);

function renderOperator() {
  return `    { user: ${natsOperator}, password: $${natsPasswordVariable(natsOperator)} }`;
}

/** @param {string[]} subjects */
const renderList = (subjects) =>
  `[\n${subjects.map((subject) => `          "${subject}"`).join('\n')}\n        ]`;

/** @param {string} app */
function mayPublish(app) {
  const { publishesEvents, consumers } = natsApps[app];
  return [
    'op.>',
    ...(publishesEvents ? ownEvents(app) : []),
    '$JS.API.INFO',
    '$JS.API.STREAM.NAMES',
    '$JS.API.STREAM.INFO.*',
    ...consumers.flatMap((purpose) => ownConsumer(`${app}-${purpose}`)),
  ];
}

/** @param {string} app */
function ownEvents(app) {
  const stream = streamOf(app);
  return [`events.${app}.>`, `$JS.API.STREAM.*.${stream}`, `$JS.API.STREAM.MSG.*.${stream}`];
}

/** @param {string} name */
function ownConsumer(name) {
  return [
    `$JS.API.CONSUMER.CREATE.*.${name}`,
    // With a filter the subject goes on with the filter.
    `$JS.API.CONSUMER.CREATE.*.${name}.>`,
    `$JS.API.CONSUMER.DURABLE.CREATE.*.${name}`,
    `$JS.API.CONSUMER.INFO.*.${name}`,
    `$JS.API.CONSUMER.DELETE.*.${name}`,
    `$JS.API.CONSUMER.MSG.NEXT.*.${name}`,
    `$JS.ACK.*.${name}.>`,
  ];
}
