// libs/sdk/operations.json: what the generators of the SDK and the CLI need beside docs/openapi.json.

/**
 * @typedef {object} Described what an operation says beside the OpenAPI document
 * @property {string} auth the permission that its key needs; `public` for none, `wallet` for a session only
 * @property {string[]} [errors] its own codes
 * @property {string[]} [shared] names of lists of codes beside `Common`, which every operation has
 * @property {string} [body] the field that is the whole body
 * @property {true} [isRead] it has a body and changes nothing
 * @property {true} [isSandboxOnly]
 * @property {number} [timeoutMs] of the gateway, where it is longer than usual
 */

/**
 * @typedef {object} Description
 * @property {Record<string, Described>} operations by `operationId`, in the order of the declarations
 * @property {Record<string, string[]>} sharedErrors
 * @property {Record<string, { status: number, message: string, action: string }>} errors
 * @property {Record<string, { errors: string[], shared: string[], messages: Record<string, string> }>} streams
 * @property {{ path: string, update: string, errors: string[] }} socket
 */

// Above this, a client with the usual time-out of 30 s would give up before the gateway answers.
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

/** One entry a line, so that a change is a line. @param {Description} description */
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

/** Codes that many operations have. */
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

/** The lists that these codes have whole. */
const sharedOf = (codes, sharedErrors) =>
  Object.keys(sharedErrors).filter(
    (name) => name !== 'Common' && sharedErrors[name].every((code) => codes.includes(code)),
  );

/** The streams of server-sent events, each by the `operationId` of its route. */
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

/** The WebSocket of transaction sets. */
function socketOf({ api, bus }) {
  const { path, sends } = api.transactionStream;
  const { payload } = sends.transactionUpdate;
  const [update] = bus.fieldsOf(payload).find(({ name }) => name === 'type').schema.enum;
  return { path, update, errors: api.streamErrorCodes };
}
