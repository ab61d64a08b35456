// The permissions of each app on NATS, as a table, and the server configuration generated from it.

/**
 * The name of each app on the bus. What an app calls is declared in libs/contracts/src/calls.ts, its event stream and its
 * consumers in libs/contracts/src/declared-streams.ts.
 * `subscribes` are events of other apps that an app receives as they are published, without a consumer.
 * One that `followsClock` learns when the clock of the sandbox is advanced.
 * An app that `answers` calls may reply at the inboxes that its callers have for it.
 * One that `hasJobs` wakes its replicas. Only the apps of `declaredStreams` publish events.
 * @type {Record<string, { answers: boolean, hasJobs: boolean, subscribes?: string[], sendsPayments?: boolean, followsClock?: boolean }>}
 */
export const natsApps = {
  // It invalidates changed keys and revoked sessions, and pushes changes of orders and payments to its event streams.
  gateway: {
    answers: false,
    hasJobs: false,
    subscribes: [
      'events.merchant.api-key-changed.>',
      'events.merchant.session-revoked.>',
      'events.merchant.payment-changed.>',
      'events.pay-orders.*.v1',
    ],
    sendsPayments: true,
  },
  'tx-engine': { answers: true, hasJobs: true, followsClock: true },
  'pay-orders': { answers: true, hasJobs: true, followsClock: true },
  merchant: {
    answers: true,
    hasJobs: true,
    followsClock: true,
  },
  // A call that waits for a code learns that another process has received it.
  'service-api': {
    answers: true,
    hasJobs: true,
    subscribes: ['announced.events.service-api.purchase-changed.>'],
    followsClock: true,
  },
  nanopay: { answers: true, hasJobs: true, sendsPayments: true },
  tee: { answers: true, hasJobs: true },
  // Its sockets are public, like the gateway's.
  stream: {
    answers: false,
    hasJobs: false,
    subscribes: ['events.tx-engine.transaction-updated.v1.*'],
  },
  sandbox: { answers: true, hasJobs: true },
};

/** How long apps may reply to a request beside 0.1.0: longer than the longest time-out of an operation. */
const replyMinutes = 12;

/** Published by the sandbox app, without data. */
const clockAdvanced = 'op.sandbox.clock-advanced';

/** May do everything: tests and people. No app gets its password. */
export const natsOperator = 'operator';

/** Creates and updates the declared streams and consumers, before the apps start (decision 83). */
export const natsProvisioner = 'provisioner';

export const natsUsers = [...Object.keys(natsApps), natsProvisioner, natsOperator];

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
 * @typedef {{ app: string, consumers: readonly { name: string, subject?: string }[] }} DeclaredStream
 * @typedef {{ calls: Record<string, string[]>, streams: readonly DeclaredStream[] }} Declarations what libs/contracts
 * declares: the subjects of the operations that each app calls (`callSubjects`), and the event streams
 */

/**
 * The content of deploy/nats/users.conf.
 * @param {Declarations} declared
 * @param {{ rotating?: readonly string[], passwordsFile?: string, without?: readonly string[], isUpgrading?: boolean }} [options]
 * users that get a second user beside them; a file beside this one that defines the variables of the passwords, instead
 * of the environment; apps that a deployment does not have; whether apps of 0.1.0 run, which create their own streams
 */
export function renderNatsUsers(declared, { rotating = [], passwordsFile, ...differences } = {}) {
  const { without = [] } = differences;
  const present = natsUsers.filter((name) => !without.includes(name));
  const users = present.flatMap((name) =>
    (rotating.includes(name) ? [name, nextUser(name)] : [name]).map((user) =>
      renderUser(user, permissionsOf(name, declared, differences)),
    ),
  );
  return [
    '# Written by `node tools/nats-users.mjs` from libs/contracts and tools/local/nats-users.mjs. Do not edit.',
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
 * What a user may do; undefined for the operator, who may do everything.
 * @param {string} name
 * @param {Declarations} declared
 * @param {{ without?: readonly string[], isUpgrading?: boolean }} [differences] as in `renderNatsUsers`
 * @returns {{ publish: string[], subscribe: string[], repliesAnywhere: boolean } | undefined}
 */
export function permissionsOf(name, { calls, streams }, { without = [], isUpgrading = false } = {}) {
  if (name === natsOperator) return undefined;
  if (name === natsProvisioner)
    return {
      publish: streams.flatMap(provisioned),
      subscribe: [`_INBOX.${natsProvisioner}.>`],
      repliesAnywhere: false,
    };
  const isPresent = (/** @type {string} */ subject) =>
    !without.some((app) => subject.startsWith(`op.${app}.`));
  const { answers, hasJobs, subscribes = [], followsClock } = natsApps[name];
  return {
    publish: [
      ...(calls[name] ?? []).filter(isPresent),
      // A replica that has written events wakes the one that publishes them, and the app calls itself (decision 82).
      ...(hasJobs ? [`op.${name}.outbox-written`] : []),
      ...(name === 'sandbox' ? [clockAdvanced] : []),
      ...streams.filter(({ app }) => app === name).flatMap(ownStream),
      ...streams.flatMap((stream) => ownConsumers(name, stream)),
      ...(isUpgrading ? ofRelease010(name, streams) : replySubjects(name, { calls, streams }, without)),
    ],
    subscribe: [
      `op.${name}.>`,
      `_INBOX.${name}.>`,
      ...subscribes,
      ...(followsClock && isPresent(clockAdvanced) ? [clockAdvanced] : []),
    ],
    repliesAnywhere: isUpgrading && answers,
  };
}

/**
 * Where an app may reply: at the inboxes that its callers have for it, at its own, and to events of its consumers. A
 * permission to reply to anything received (`allow_responses`) would be one to publish anything: the thief of a password
 * sends the app a message with the reply subject of their choice.
 * @param {string} name @param {Declarations} declared @param {readonly string[]} without
 */
function replySubjects(name, { calls, streams }, without) {
  const callers = Object.keys(calls).filter(
    (app) => !without.includes(app) && calls[app].some((subject) => subject.startsWith(`op.${name}.`)),
  );
  const inboxes = [...new Set([...callers, name, natsOperator])].sort();
  return [
    ...(natsApps[name].answers ? inboxes.map((caller) => `_INBOX.${caller}.${name}.>`) : []),
    ...streams.flatMap((stream) =>
      consumersOf(name, stream).map((consumer) => `$JS.ACK.${streamOf(stream.app)}.${consumer}.>`),
    ),
  ];
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

/** @param {{ appCalls: any, declaredStreams: readonly DeclaredStream[] }} api libs/contracts @returns {Declarations} */
export const declarationsOf = ({ appCalls, declaredStreams }) => ({
  calls: callSubjects(appCalls),
  streams: declaredStreams,
});

/**
 * The content of deploy/nats/streams.json: the configuration of each stream and consumer, with the bounds of the sandbox.
 * @param {{ declaredStreams: readonly DeclaredStream[] }} api libs/contracts
 * @param {{ wantedStream: (app: string) => object, wantedConsumer: (consumer: object) => object }} bus libs/platform/rpc
 */
export function renderStreams({ declaredStreams }, { wantedStream, wantedConsumer }) {
  const streams = declaredStreams.map(({ app, consumers }) => ({
    stream: wantedStream(app),
    consumers: consumers.map(wantedConsumer),
  }));
  return `${JSON.stringify(streams, null, 2)}\n`;
}

/** @param {string} user @param {ReturnType<typeof permissionsOf>} permissions */
function renderUser(user, permissions) {
  const password = `$${natsPasswordVariable(user)}`;
  if (!permissions) return `    { user: ${user}, password: ${password} }`;
  const { publish, subscribe, repliesAnywhere } = permissions;
  // Instead of permissions for inboxes and acknowledgements: beside one the server would not count a reply, and never
  // forget its subject. After some thousand events each delivery would search them all.
  const replies = `
        # As 0.1.0 needs it: one reply to each request and each event, at any subject.
        allow_responses { max: 1, expires: "${replyMinutes}m" }`;
  return `    {
      user: ${user}
      password: ${password}
      permissions {
        publish ${publish.length > 0 ? `{ allow: ${renderList(publish)} }` : '{ deny: ">" }'}
        subscribe { allow: ${renderList(subscribe)} }${repliesAnywhere ? replies : ''}
      }
    }`;
}

/** @param {string[]} subjects */
const renderList = (subjects) =>
  `[\n${subjects.map((subject) => `          "${subject}"`).join('\n')}\n        ]`;

/** What an app may do with the stream of its own events. @param {DeclaredStream} stream */
function ownStream({ app }) {
  const stream = streamOf(app);
  return [
    `events.${app}.>`,
    `announced.events.${app}.>`,
    `$JS.API.STREAM.INFO.${stream}`,
    // It deletes acknowledged events that are too old, or for which there is no room.
    `$JS.API.STREAM.MSG.GET.${stream}`,
    `$JS.API.STREAM.PURGE.${stream}`,
    // How far its consumers are: nothing is deleted that one of them has not acknowledged.
    `$JS.API.CONSUMER.LIST.${stream}`,
  ];
}

/** @param {string} app @param {DeclaredStream} stream */
const consumersOf = (app, { consumers }) =>
  consumers.map(({ name }) => name).filter((name) => name.startsWith(`${app}-`));

/** How an app receives events by its consumers of a stream. @param {string} app @param {DeclaredStream} stream */
function ownConsumers(app, stream) {
  return consumersOf(app, stream).flatMap((name) => [
    `$JS.API.CONSUMER.INFO.${streamOf(stream.app)}.${name}`,
    `$JS.API.CONSUMER.MSG.NEXT.${streamOf(stream.app)}.${name}`,
  ]);
}

/** What 0.1.0 permitted: its apps create and update their own stream and consumers. @param {string} app @param {readonly DeclaredStream[]} streams */
function ofRelease010(app, streams) {
  const own = streams.flatMap(({ consumers }) => consumers.filter(({ name }) => name.startsWith(`${app}-`)));
  return [
    ...['$JS.API.INFO', '$JS.API.STREAM.NAMES', '$JS.API.STREAM.INFO.*'],
    ...(streams.some((stream) => stream.app === app) ? [`$JS.API.STREAM.*.${streamOf(app)}`] : []),
    ...own.flatMap(({ name }) =>
      ['CREATE.*', 'INFO.*', 'MSG.NEXT.*'].map((action) => `$JS.API.CONSUMER.${action}.${name}`),
    ),
    ...own.map(({ name }) => `$JS.API.CONSUMER.CREATE.*.${name}.>`),
  ];
}

/** The requests that create or update a stream and its consumers. @param {DeclaredStream} stream */
function provisioned({ app, consumers }) {
  const stream = streamOf(app);
  return [
    `$JS.API.STREAM.INFO.${stream}`,
    `$JS.API.STREAM.CREATE.${stream}`,
    `$JS.API.STREAM.UPDATE.${stream}`,
    ...consumers.flatMap(({ name, subject }) => [
      `$JS.API.CONSUMER.INFO.${stream}.${name}`,
      // With a filter the subject goes on with the filter.
      `$JS.API.CONSUMER.CREATE.${stream}.${name}${subject === undefined ? '' : `.${subject}`}`,
    ]),
  ];
}
