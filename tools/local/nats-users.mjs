// The NATS permissions of each app as a table, and the server configuration that is generated from it.
import { TypingMistake } from './problem.mjs';

/**
 * The apps by their name on the bus. libs/contracts/src/calls.ts declares the calls of an app, and
 * libs/contracts/src/declared-streams.ts declares its event stream and its consumers.
 * `subscribes`: events of other apps that the app receives directly, without a consumer.
 * `followsClock`: the app is notified if the clock of the sandbox is advanced.
 * `answers`: the app may reply to the inboxes that its callers have for it.
 * `hasJobs`: the app notifies its replicas of new work. Only the apps of `declaredStreams` publish events.
 * @type {Record<string, { answers: boolean, hasJobs: boolean, subscribes?: string[], sendsPayments?: boolean, followsClock?: boolean }>}
 */
export const natsApps = {
  // It invalidates changed keys and revoked sessions, and sends changes of orders and payments to its event streams.
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
  // A call that waits for a code is notified if another process has received it.
  'service-api': {
    answers: true,
    hasJobs: true,
    subscribes: ['events.service-api.purchase-changed.>'],
    followsClock: true,
  },
  nanopay: { answers: true, hasJobs: true, sendsPayments: true },
  tee: { answers: true, hasJobs: true },
  // Its sockets are public, like those of the gateway.
  stream: {
    answers: false,
    hasJobs: false,
    subscribes: ['events.tx-engine.transaction-updated.v1.*'],
  },
  sandbox: { answers: true, hasJobs: true },
};

/** How long apps may reply to a request while 0.1.0 also runs. This exceeds the longest time-out of an operation. */
const replyMinutes = 12;

/** The sandbox app publishes this subject, without data. */
const clockAdvanced = 'op.sandbox.clock-advanced';

/** This user may do everything. It is for tests and people, and no app gets its password. */
export const natsOperator = 'operator';

/** This user creates and updates the declared streams and consumers before the apps start (decision 83). */
export const natsProvisioner = 'provisioner';

export const natsUsers = [...Object.keys(natsApps), natsProvisioner, natsOperator];

/** @param {string} user */
export const natsPasswordVariable = (user) => `NATS_${user.toUpperCase().replaceAll('-', '_')}_PASSWORD`;

/** @param {string} app */
export const streamOf = (app) => app.toUpperCase().replaceAll('-', '_');

/**
 * The second user of an app while its password is replaced (docs/operations/rotate.md). It has the same permissions.
 * @param {string} user
 */
export const nextUser = (user) => `${user}-next`;

/**
 * @typedef {{ app: string, consumers: readonly { name: string, subject?: string }[] }} DeclaredStream
 * @typedef {{ calls: Record<string, string[]>, streams: readonly DeclaredStream[] }} Declarations of
 * libs/contracts. `calls`: the subjects of the operations that each app calls (`callSubjects`). `streams`: event
 * streams
 */

/**
 * The accounts for calls and for streams. In addition, each app with events has its own account (decision 98).
 */
const callsAccount = 'CALLS';
const streamsAccount = 'STREAMS';

/** Returns the second user of an app, which publishes and receives events. @param {string} user */
export const eventUser = (user) => `${user}-events`;

/**
 * Renders deploy/nats/users.conf.
 * @param {Declarations} contracts the declarations of libs/contracts, including more consumers for `readers`
 * @param {{ rotating?: readonly string[], passwordsFile?: string, without?: readonly string[], isUpgrading?: boolean, readers?: Readers }} [options]
 * `rotating`: users that have a second user. `passwordsFile`: a file in the same folder that defines the variables of
 * the passwords, instead of the environment. `without`: apps that a deployment does not have. `isUpgrading`: whether
 * apps of 0.1.0 also run, which have one account for everything. `readers`: external programs that receive events
 */
export function renderNatsUsers(
  contracts,
  { rotating = [], passwordsFile, readers = {}, ...differences } = {},
) {
  const { without = [], isUpgrading = false } = differences;
  const declared = withReaders(contracts, readers);
  const users = [...natsUsers, ...Object.keys(readers)]
    .filter((name) => !without.includes(name))
    .flatMap((name) => {
      const own = rotating.includes(name) ? [name, nextUser(name)] : [name];
      return own.map((user) => ({
        name,
        calls: renderUser(user, user, permissionsOf(name, declared, differences)),
        events: renderUser(eventUser(user), user, eventPermissionsOf(name, declared, differences)),
      }));
    });
  return [
    '# Written by `node tools/nats-users.mjs` from libs/contracts and tools/local/nats-users.mjs. Do not edit.',
    ...(passwordsFile ? [`include ./${passwordsFile}`] : []),
    ...(isUpgrading ? renderOneAccount(users) : renderAccounts(users, declared, Object.keys(readers))),
    '',
  ].join('\n');
}

/** @typedef {Record<string, readonly string[]>} Readers the apps that send events to a program, by its name */

/**
 * @param {string[]} given such as `analytics=pay-orders,merchant`
 * @param {readonly { app: string }[]} streams
 * @returns {Readers}
 * @throws Problem
 */
export function readersOf(given, streams) {
  const publishers = streams.map(({ app }) => app);
  const taken = [...natsUsers, 'calls', 'streams'];
  const readers = given.map((text) => {
    const [, name, list] = /^([a-z][a-z0-9-]*)=(.+)$/.exec(text) ?? [];
    const apps = list?.split(',') ?? [];
    if (!name || apps.some((app) => !publishers.includes(app)))
      throw new TypingMistake(`--reader ${text}: expected NAME=APP,… with apps of ${publishers.join(', ')}.`);
    // A consumer belongs to the user with the same name prefix.
    const other = taken.find((it) => `${it}-`.startsWith(`${name}-`) || `${name}-`.startsWith(`${it}-`));
    if (other)
      throw new TypingMistake(`--reader ${text}: ${name} begins like ${other}. Choose another name.`);
    taken.push(name);
    return [name, apps];
  });
  return Object.fromEntries(readers);
}

/**
 * Adds a durable consumer for each reader and app, which the operator creates.
 * @param {Declarations} declared
 * @param {Readers} readers
 */
function withReaders({ calls, streams }, readers) {
  const consumersOf = (/** @type {string} */ app) =>
    Object.keys(readers)
      .filter((reader) => readers[reader].includes(app))
      .map((reader) => ({ name: `${reader}-${app}` }));
  const read = streams.map((stream) => ({
    ...stream,
    consumers: [...stream.consumers, ...consumersOf(stream.app)],
  }));
  return { calls, streams: read };
}

/** @typedef {{ name: string, calls: string | undefined, events: string | undefined }} RenderedUser */

/** Renders everything in one account, as in 0.1.0. @param {RenderedUser[]} users */
const renderOneAccount = (users) => [
  renderMappings(''),
  'authorization {',
  ...renderUsers(
    users.flatMap(({ calls, events }) => [calls, events]),
    '  ',
  ),
  '}',
];

/** @param {RenderedUser[]} users @param {Declarations} declared @param {string[]} readers */
function renderAccounts(users, declared, readers) {
  const { streams } = declared;
  const apps = [...Object.keys(natsApps), ...readers].filter((app) => grantsOf(app, streams).length > 0);
  const ofApps = apps.flatMap((app) => [
    `  ${streamOf(app)} {`,
    ...renderUsers(users.filter(({ name }) => name === app).map(({ events }) => events)),
    renderEntries(
      'exports',
      liveSubjects(app).map((subject) => `stream: "${subject}", accounts: [${callsAccount}]`),
    ),
    renderEntries(
      'imports',
      grantsOf(app, streams).map(({ subject }) => {
        const to = localSubject(subject);
        const service = `service: { account: ${streamsAccount}, subject: "${subject}" }`;
        return to === subject ? service : `${service}, to: "${to}"`;
      }),
    ),
    '  }',
  ]);
  const ofStreams = users.filter(({ name }) => [natsProvisioner, natsOperator].includes(name));
  return [
    'accounts {',
    `  # Calls and their replies.`,
    `  ${callsAccount} {`,
    ...renderUsers(users.map(({ calls }) => calls)),
    renderEntries(
      'imports',
      apps.flatMap((app) =>
        liveSubjects(app).map((subject) => `stream: { account: ${streamOf(app)}, subject: "${subject}" }`),
      ),
    ),
    '  }',
    '  # The event streams. NATS sends replies of JetStream with its own rights to the subject that a request names.',
    '  # In an account of its own, the request of an app names a subject of that account only.',
    `  ${streamsAccount} {`,
    '    jetstream: enabled',
    renderMappings('    '),
    ...renderUsers(ofStreams.map(({ events }) => events)),
    renderEntries(
      'exports',
      apps.flatMap((app) =>
        grantsOf(app, streams).map(({ subject, response }) => {
          const type = response === undefined ? '' : `, response_type: ${response}, response_threshold: "1m"`;
          return `service: "${subject}"${type}, accounts: [${streamOf(app)}]`;
        }),
      ),
    ),
    '  }',
    ...ofApps,
    '}',
  ];
}

/**
 * JetStream requests have this prefix in every account. NATS itself replies to the original prefix in each account that
 * it has no JetStream.
 * @param {string} subject
 */
const localSubject = (subject) => subject.replace(/^\$JS\.API\./, 'js.');

/** @param {string} indent */
const renderMappings = (indent) => `${indent}mappings { "js.>": "$JS.API.>" }`;

/** @param {(string | undefined)[]} users @param {string} [indent] */
const renderUsers = (users, indent = '    ') => [
  `${indent}users = [`,
  ...users.filter((user) => user !== undefined),
  `${indent}]`,
];

/** @param {string} name @param {string[]} entries */
const renderEntries = (name, entries) =>
  `    ${name} = [\n${entries.map((entry) => `      { ${entry} }\n`).join('')}    ]`;

/** The events of an app that other apps receive directly. @param {string} app */
const liveSubjects = (app) =>
  Object.values(natsApps).flatMap(({ subscribes = [] }) =>
    subscribes.filter((subject) => subject.startsWith(`events.${app}.`)),
  );

/**
 * Returns the permissions of a user in the account for calls. Returns undefined for the operator, who may do
 * everything, and `none` for a user that makes no calls.
 * @param {string} name
 * @param {Declarations} declared
 * @param {{ without?: readonly string[], isUpgrading?: boolean }} [differences] as in `renderNatsUsers`
 * @returns {{ publish: string[], subscribe: string[], repliesAnywhere: boolean } | 'none' | undefined}
 */
export function permissionsOf(name, declared, { without = [], isUpgrading = false } = {}) {
  if (name === natsOperator) return undefined;
  if (!natsApps[name]) return 'none';
  const { calls, streams } = declared;
  const isPresent = (/** @type {string} */ subject) =>
    !without.some((app) => subject.startsWith(`op.${app}.`));
  const { answers, hasJobs, subscribes = [], followsClock } = natsApps[name];
  return {
    publish: [
      ...(calls[name] ?? []).filter(isPresent),
      // A replica that has written events notifies the one that publishes them, and the app calls itself (decision 82).
      ...(hasJobs ? [`op.${name}.outbox-written`] : []),
      ...(name === 'sandbox' ? [clockAdvanced] : []),
      ...(isUpgrading ? ofRelease010(name, streams) : replySubjects(name, declared, without)),
    ],
    subscribe: [
      `op.${name}.>`,
      `_INBOX.${name}.>`,
      ...subscribes,
      ...(isUpgrading ? announcedTo(name) : []),
      ...(followsClock && isPresent(clockAdvanced) ? [clockAdvanced] : []),
    ],
    repliesAnywhere: isUpgrading && answers,
  };
}

/**
 * Returns the permissions of a user for events, in its own account. Returns undefined for the operator, who may do
 * everything, and `none` for a user without events.
 * @param {string} name @param {Declarations} declared @param {{ isUpgrading?: boolean }} [differences]
 * @returns {{ publish: string[], subscribe: string[], repliesAnywhere: boolean } | 'none' | undefined}
 */
export function eventPermissionsOf(name, { streams }, { isUpgrading = false } = {}) {
  if (name === natsOperator) return undefined;
  const subjects =
    name === natsProvisioner
      ? streams.flatMap(provisioned)
      : grantsOf(name, streams).map(({ subject }) => subject);
  if (subjects.length === 0) return 'none';
  // If subjects are mapped, nats-server 2.9 checks the mapped subject.
  const isMapped = isUpgrading || name === natsProvisioner;
  const publish = [...new Set([...subjects.map(localSubject), ...(isMapped ? subjects : [])])];
  return { publish, subscribe: [`_INBOX.${name}.>`], repliesAnywhere: false };
}

/**
 * The subjects that an app may reply to: the inboxes that its callers have for it, and its own. A permission to reply
 * to anything received (`allow_responses`) would permit it to publish anything. With a stolen password, an attacker
 * could send the app a message with any reply subject.
 * @param {string} name @param {Declarations} declared @param {readonly string[]} without
 */
function replySubjects(name, { calls }, without) {
  if (!natsApps[name].answers) return [];
  const callers = Object.keys(calls).filter(
    (app) => !without.includes(app) && calls[app].some((subject) => subject.startsWith(`op.${name}.`)),
  );
  const inboxes = [...new Set([...callers, name, natsOperator])].sort();
  return inboxes.map((caller) => `_INBOX.${caller}.${name}.>`);
}

/**
 * Returns the subjects of the calls that each app publishes.
 * @param {Record<string, Record<'asItself' | 'forPrincipal', readonly { app: string, subject: string, endsWithCaller: boolean }[]>>} appCalls
 * @returns {Record<string, string[]>}
 */
export function callSubjects(appCalls) {
  return Object.fromEntries(
    Object.entries(appCalls).map(([app, { asItself, forPrincipal }]) => {
      const operations = [...asItself, ...forPrincipal];
      const subjects = operations.map(({ subject }) => subject);
      // A caller that stops waiting reports this on a subject of the app that it called.
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
 * Renders deploy/nats/streams.json: the configuration of each stream and consumer, with the limits of the sandbox.
 * @param {{ declaredStreams: readonly DeclaredStream[] }} api libs/contracts
 * @param {{ wantedStream: (app: string) => object, wantedConsumer: (consumer: object) => object }} bus
 * libs/platform/rpc
 */
export function renderStreams({ declaredStreams }, { wantedStream, wantedConsumer }) {
  const streams = declaredStreams.map(({ app, consumers }) => ({
    stream: wantedStream(app),
    consumers: consumers.map(wantedConsumer),
  }));
  return `${JSON.stringify(streams, null, 2)}\n`;
}

/**
 * @param {string} user
 * @param {string} owner the user with the password
 * @param {ReturnType<typeof permissionsOf>} permissions
 */
function renderUser(user, owner, permissions) {
  if (permissions === 'none') return undefined;
  const password = `$${natsPasswordVariable(owner)}`;
  if (!permissions) return `      { user: ${user}, password: ${password} }`;
  const { publish, subscribe, repliesAnywhere } = permissions;
  // Replaces permissions for inboxes and acknowledgements. With these, the server would not count a reply and would
  // never forget its subject. After a few thousand events, each delivery would search all of them.
  const replies = `
          # As 0.1.0 needs it: one reply to each request and each event, at any subject.
          allow_responses { max: 1, expires: "${replyMinutes}m" }`;
  return `      {
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
  `[\n${subjects.map((subject) => `            "${subject}"`).join('\n')}\n          ]`;

/**
 * @typedef {{ subject: string, response?: 'stream' }} Grant a request to the streams; `response` if it has several
 * replies
 */

/**
 * Returns the requests that an app may send to the streams.
 * @param {string} app
 * @param {readonly DeclaredStream[]} streams
 * @returns {Grant[]}
 */
const grantsOf = (app, streams) => [
  ...streams.filter((stream) => stream.app === app).flatMap(ownStream),
  ...streams.flatMap((stream) => ownConsumers(app, stream)),
];

/** The requests that an app may send to its own event stream. @param {DeclaredStream} stream @returns {Grant[]} */
function ownStream({ app }) {
  const stream = streamOf(app);
  return [
    { subject: `events.${app}.>` },
    { subject: `$JS.API.STREAM.INFO.${stream}` },
    // It deletes acknowledged events that are too old or exceed the size of the stream.
    { subject: `$JS.API.STREAM.MSG.GET.${stream}` },
    { subject: `$JS.API.STREAM.PURGE.${stream}` },
    // Reads the progress of its consumers, because only events that all of them have acknowledged are deleted.
    { subject: `$JS.API.CONSUMER.LIST.${stream}` },
  ];
}

/**
 * The requests that an app needs to receive events through its consumers of a stream.
 * @param {string} app @param {DeclaredStream} stream
 * @returns {Grant[]}
 */
function ownConsumers(app, { app: source, consumers }) {
  const stream = streamOf(source);
  const own = consumers.map(({ name }) => name).filter((name) => name.startsWith(`${app}-`));
  return own.flatMap((name) => [
    { subject: `$JS.API.CONSUMER.INFO.${stream}.${name}` },
    { subject: `$JS.API.CONSUMER.MSG.NEXT.${stream}.${name}`, response: 'stream' },
    { subject: `$JS.ACK.${stream}.${name}.>` },
  ]);
}

/**
 * The permissions of 0.1.0. Its apps create and update their own stream and consumers.
 * @param {string} app
 * @param {readonly DeclaredStream[]} streams
 */
function ofRelease010(app, streams) {
  const own = streams.flatMap(({ consumers }) => consumers.filter(({ name }) => name.startsWith(`${app}-`)));
  return [
    ...['$JS.API.INFO', '$JS.API.STREAM.NAMES', '$JS.API.STREAM.INFO.*'],
    ...(streams.some((stream) => stream.app === app)
      ? [`events.${app}.>`, `$JS.API.STREAM.*.${streamOf(app)}`, `$JS.API.CONSUMER.LIST.${streamOf(app)}`]
      : []),
    ...own.flatMap(({ name }) =>
      ['CREATE.*', 'INFO.*', 'MSG.NEXT.*'].map((action) => `$JS.API.CONSUMER.${action}.${name}`),
    ),
    ...own.map(({ name }) => `$JS.API.CONSUMER.CREATE.*.${name}.>`),
    ...announcedTo(app),
  ];
}

/**
 * In 0.1.0, service-api publishes its purchases a second time to notify waiting calls of its replicas.
 * @param {string} app
 */
const announcedTo = (app) =>
  app === 'service-api' ? ['announced.events.service-api.purchase-changed.>'] : [];

/** The requests that create or update a stream and its consumers. @param {DeclaredStream} stream */
function provisioned({ app, consumers }) {
  const stream = streamOf(app);
  return [
    `$JS.API.STREAM.INFO.${stream}`,
    `$JS.API.STREAM.CREATE.${stream}`,
    `$JS.API.STREAM.UPDATE.${stream}`,
    ...consumers.flatMap(({ name, subject }) => [
      `$JS.API.CONSUMER.INFO.${stream}.${name}`,
      // If there is a filter, it is the end of the subject.
      `$JS.API.CONSUMER.CREATE.${stream}.${name}${subject === undefined ? '' : `.${subject}`}`,
    ]),
  ];
}
