// The permissions of each app on NATS, as a table, and the server configuration generated from it.

/**
 * The name of each app on the bus, and the purposes of its consumers, which are named `<app>-<purpose>`. A new
 * consumer gets its line here: NATS has no wildcard for a part of a name. What an app calls is declared in
 * libs/contracts/src/calls.ts.
 * `subscribes` are events of other apps that an app receives as they are published, without a consumer.
 * One that `followsClock` learns when the clock of the sandbox is advanced.
 * An app that `answers` calls may reply to what it receives. One that does not must not: NATS remembers the reply subject
 * of every message that such an app receives until it has replied, and events have reply subjects too.
 * A public app publishes no events, so its stolen credential cannot forge any.
 * @type {Record<string, { answers: boolean, publishesEvents: boolean, consumers: string[], subscribes?: string[], sendsPayments?: boolean, followsClock?: boolean }>}
 */
export const natsApps = {
  // It invalidates changed keys and revoked sessions, and pushes changes of orders and payments to its event streams.
  gateway: {
    answers: false,
    publishesEvents: false,
    consumers: [],
    subscribes: [
      'events.merchant.api-key-changed.>',
      'events.merchant.session-revoked.>',
      'events.merchant.payment-changed.>',
      'events.pay-orders.*.v1',
    ],
    sendsPayments: true,
  },
  'tx-engine': { answers: true, publishesEvents: true, consumers: [], followsClock: true },
  'pay-orders': { answers: true, publishesEvents: true, consumers: [], followsClock: true },
  merchant: {
    answers: true,
    publishesEvents: true,
    consumers: ['orders', 'transactions', 'purchases', 'payouts'],
    followsClock: true,
  },
  // A call that waits for a code learns that another process has received it.
  'service-api': {
    answers: true,
    publishesEvents: true,
    consumers: [],
    subscribes: ['announced.events.service-api.purchase-changed.>'],
    followsClock: true,
  },
  nanopay: { answers: true, publishesEvents: true, consumers: [], sendsPayments: true },
  tee: { answers: true, publishesEvents: true, consumers: [] },
  // Its sockets are public, like the gateway's.
  stream: {
    answers: false,
    publishesEvents: false,
    consumers: [],
    subscribes: ['events.tx-engine.transaction-updated.v1.*'],
  },
  sandbox: { answers: true, publishesEvents: true, consumers: [] },
};

/**
 * How long NATS lets an app reply to a request: longer than the longest time-out of an operation. A later reply is
 * rejected by the server, and its caller times out.
 */
const replyMinutes = 12;

/** Published by the sandbox app, without data. */
const clockAdvanced = 'op.sandbox.clock-advanced';

/** May do everything: tests and people. No app gets its password. */
export const natsOperator = 'operator';

export const natsUsers = [...Object.keys(natsApps), natsOperator];

/** @param {string} user */
export const natsPasswordVariable = (user) => `NATS_${user.toUpperCase().replaceAll('-', '_')}_PASSWORD`;

/** @param {string} app */
export const streamOf = (app) => app.toUpperCase().replaceAll('-', '_');

/**
 * The second user of an app while its password is being replaced (docs/operations/rotate.md): with the same permissions.
 * @param {string} user
 */
export const nextUser = (user) => `${user}-next`;

/**
 * The content of deploy/nats/users.conf.
 * @param {Record<string, string[]>} calls the subjects of the operations that each app calls (`callSubjects`)
 * @param {{ rotating?: readonly string[], passwordsFile?: string, without?: readonly string[] }} [options] users that get
 * a second user beside them; a file beside this one that defines the variables of the passwords, instead of the
 * environment; apps that a deployment does not have
 */
export function renderNatsUsers(calls, { rotating = [], passwordsFile, without = [] } = {}) {
  const isPresent = (/** @type {string} */ subject) =>
    !without.some((app) => subject.startsWith(`op.${app}.`));
  const present = natsUsers.filter((name) => !without.includes(name));
  const users = present.flatMap((name) =>
    (rotating.includes(name) ? [name, nextUser(name)] : [name]).map((user) =>
      name === natsOperator
        ? renderOperator(user)
        : renderApp(name, {
            calls: (calls[name] ?? []).filter(isPresent),
            clocks: natsApps[name].followsClock && isPresent(clockAdvanced) ? [clockAdvanced] : [],
            user,
          }),
    ),
  );
  return [
    '# Written by `node tools/nats-users.mjs` from libs/contracts/src/calls.ts and tools/local/nats-users.mjs. Do not edit.',
    ...(passwordsFile ? [`include ./${passwordsFile}`] : []),
    'authorization {',
    '  users = [',
    users.join('\n'),
    '  ]',
    '}',
    '',
  ].join('\n');
}

/**
 * The subjects that each app publishes calls to.
 * @param {Record<string, Record<'asItself' | 'forPrincipal', readonly { app: string, subject: string, endsWithCaller: boolean }[]>>} appCalls
 * @returns {Record<string, string[]>}
 */
export function callSubjects(appCalls) {
  return Object.fromEntries(
    Object.entries(appCalls).map(([app, { asItself, forPrincipal }]) => {
      const operations = [...asItself, ...forPrincipal];
      const subjects = operations.map(({ subject }) => subject);
      // A caller that gives up says so on a subject of the app that it called.
      const hungUp = operations
        .filter(({ endsWithCaller }) => endsWithCaller)
        .map((operation) => `op.${operation.app}.hung-up`);
      const payments = natsApps[app]?.sendsPayments ? ['op.tee.payments'] : [];
      return [app, [...new Set([...subjects, ...hungUp, ...payments])].sort()];
    }),
  );
}

/** @param {string} app @param {{ calls: string[], clocks: string[], user: string }} rights */
function renderApp(app, { calls, clocks, user }) {
  const { answers, subscribes = [] } = natsApps[app];
  const subscribed = [`op.${app}.>`, `_INBOX.${app}.>`, ...subscribes, ...clocks];
  // An acknowledgement of an event is a reply as well. A publish permission for it would keep the server from counting
  // it, and from ever forgetting its subject: after some thousand events each delivery would search them all.
  const replies = `
        # One reply to each request and each event, within the longest time that a call may wait.
        allow_responses { max: 1, expires: "${replyMinutes}m" }`;
  return `    {
      user: ${user}
      password: $${natsPasswordVariable(user)}
      permissions {
        publish { allow: ${renderList(mayPublish(app, calls))} }
        subscribe { allow: ${renderList(subscribed)} }${answers ? replies : ''}
      }
    }`;
}

/** @param {string} user */
function renderOperator(user) {
  return `    { user: ${user}, password: $${natsPasswordVariable(user)} }`;
}

/** @param {string[]} subjects */
const renderList = (subjects) =>
  `[\n${subjects.map((subject) => `          "${subject}"`).join('\n')}\n        ]`;

/** @param {string} app @param {string[]} calls */
function mayPublish(app, calls) {
  const { publishesEvents, consumers } = natsApps[app];
  return [
    ...calls,
    ...(publishesEvents ? ownEvents(app) : []),
    ...(app === 'sandbox' ? [clockAdvanced] : []),
    '$JS.API.INFO',
    '$JS.API.STREAM.NAMES',
    '$JS.API.STREAM.INFO.*',
    ...consumers.flatMap((purpose) => ownConsumer(`${app}-${purpose}`)),
  ];
}

/** @param {string} app */
function ownEvents(app) {
  const stream = streamOf(app);
  return [
    `events.${app}.>`,
    `announced.events.${app}.>`,
    // A replica that has written events wakes the one that publishes them.
    `op.${app}.outbox-written`,
    `$JS.API.STREAM.*.${stream}`,
    `$JS.API.STREAM.MSG.*.${stream}`,
    // How far its consumers are: nothing is deleted that one of them has not acknowledged.
    `$JS.API.CONSUMER.LIST.${stream}`,
  ];
}

/** Acknowledgements are replies (`allow_responses`), so they need no permission of their own. @param {string} name */
function ownConsumer(name) {
  return [
    `$JS.API.CONSUMER.CREATE.*.${name}`,
    // With a filter the subject goes on with the filter.
    `$JS.API.CONSUMER.CREATE.*.${name}.>`,
    `$JS.API.CONSUMER.DURABLE.CREATE.*.${name}`,
    `$JS.API.CONSUMER.INFO.*.${name}`,
    `$JS.API.CONSUMER.DELETE.*.${name}`,
    `$JS.API.CONSUMER.MSG.NEXT.*.${name}`,
  ];
}
