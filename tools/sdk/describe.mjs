// Generates libs/sdk/operations.json. The generators of the SDK and the CLI need it in addition to docs/openapi.json.

/**
 * @typedef {object} Described the properties of an operation that the OpenAPI document does not contain
 * @property {string} auth the permission that its key needs; `public` for none, `wallet` for a session only
 * @property {string[]} [errors] the operation's own error codes
 * @property {string[]} [shared] names of code lists in addition to `Common`, which every operation has
 * @property {string} [body] the field that is the complete body
 * @property {true} [isRead] the operation has a body but changes nothing
 * @property {true} [isSandboxOnly]
 * @property {number} [timeoutMs] of the gateway, if it is longer than usual
 */

/**
 * @typedef {object} Description
 * @property {Record<string, Described>} operations by `operationId`, in the order of the declarations
 * @property {Record<string, string[]>} sharedErrors
 * @property {Record<string, { status: number, message: string, action: string }>} errors
 * @property {Record<string, { errors: string[], shared: string[], messages: Record<string, string> }>} streams
 * @property {{ path: string, update: string, errors: string[] }} socket
 */

// Above this limit, a client with the usual time-out of 30 s would stop waiting before the gateway replies.
const usualTimeoutMs = 25_000;

/** @param {any} product @returns {Description} */
export function describeApi(product) {
  const { features, gateway, bus, api } = product;
  const sharedErrors = sharedErrorsOf(gateway);
  /** @type {any[]} */
  const operations = features.flatMap((/** @type {any} */ feature) => Object.values(feature.operations));
  const streams = streamsOf(product, sharedErrors);
  const codes = [...operations.flatMap((operation) => gateway.errorsOf(operation)), ...api.streamErrorCodes];
  return {
    operations: Object.fromEntries(
      operations.map((operation) => [operation.operationId, describe(operation, gateway, sharedErrors)]),
    ),
    sharedErrors,
    errors: Object.fromEntries(
      [...new Set(codes)].map((code) => {
        const [status, message] = bus.errorCodes[code];
        return [code, { status, message, action: bus.errorGuide[code].action }];
      }),
    ),
    streams,
    socket: socketOf(product),
  };
}

/** Writes one entry per line, so that a change affects one line. @param {Description} description */
export const descriptionText = (description) =>
  `{\n${Object.entries(description)
    .map(([name, part]) => `${JSON.stringify(name)}: {\n${lines(part)}\n}`)
    .join(',\n')}\n}\n`;

const lines = (/** @type {object} */ part) =>
  Object.entries(part)
    .map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(',\n');

function describe(operation, gateway, sharedErrors) {
  const { auth, errors, hasBody, isRead, isSandboxOnly, timeoutMs, body } = operation;
  const shared = sharedOf(gateway.errorsOf(operation), sharedErrors);
  return {
    auth: authOf(auth),
    ...(errors.length > 0 && { errors }),
    ...(shared.length > 0 && { shared }),
    ...(body !== undefined && { body }),
    ...(hasBody && isRead && { isRead: true }),
    ...(isSandboxOnly && { isSandboxOnly: true }),
    ...(timeoutMs > usualTimeoutMs && { timeoutMs }),
  };
}

function authOf(auth) {
  if (auth === 'public') return 'public';
  return 'wallet' in auth ? 'wallet' : auth.permission;
}

/** Returns the codes that many operations have. */
function sharedErrorsOf(gateway) {
  const plain = { errors: [], auth: 'public', hasBody: false, pathFields: [] };
  const Common = gateway.errorsOf(plain);
  const more = (kind) => gateway.errorsOf({ ...plain, ...kind }).filter((code) => !Common.includes(code));
  return {
    Common,
    WithBody: more({ hasBody: true }),
    WithPath: more({ pathFields: ['id'] }),
    WithKey: more({ auth: { key: 'secret', permission: 'read' } }),
  };
}

/** Returns the lists that are completely included in these codes. */
const sharedOf = (codes, sharedErrors) =>
  Object.keys(sharedErrors).filter(
    (name) => name !== 'Common' && sharedErrors[name].every((code) => codes.includes(code)),
  );

/** Returns the streams of server-sent events by the `operationId` of their routes. */
function streamsOf({ eventStreams, gateway }, sharedErrors) {
  const routes = gateway.gatewayRoutes('sandbox');
  return Object.fromEntries(
    eventStreams.map((stream) => {
      const { declaration } = routes.find((route) => route.declaration.path === stream.path);
      const sent = Object.entries(stream.sends).filter(([event]) => event !== 'end');
      return [
        declaration.operationId,
        {
          errors: declaration.errors,
          shared: sharedOf(gateway.errorsOf(declaration), sharedErrors),
          messages: Object.fromEntries(sent.map(([event, { payload }]) => [event, payload.name])),
        },
      ];
    }),
  );
}

/** Returns the WebSocket of transaction sets. */
function socketOf({ api, bus }) {
  const { path, sends } = api.transactionStream;
  const { payload } = sends.transactionUpdate;
  const [update] = bus.fieldsOf(payload).find(({ name }) => name === 'type').schema.enum;
  return { path, update, errors: api.streamErrorCodes };
}
