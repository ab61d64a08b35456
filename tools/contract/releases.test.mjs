import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  compareContracts,
  declaredBreaks,
  documents,
  presentContract,
  previousRelease,
  releasedContract,
  verifyBreaks,
} from './releases.mjs';

const { version, commit } = previousRelease();

describe(`the contract since release ${version}`, () => {
  it('contains no breaking change that deploy/releases/breaking-changes.json does not declare', () => {
    const found = Object.fromEntries(
      documents.map((name) => [
        name,
        compareContracts(name, releasedContract(version, name), presentContract(name)),
      ]),
    );
    const { undeclared, unused } = verifyBreaks(found, declaredBreaks().changes);
    assert.deepEqual(undeclared, []);
    assert.deepEqual(unused, [], 'declared changes that do not exist');
  });

  it('compares declarations since the same release, and states a full commit hash', () => {
    assert.equal(declaredBreaks().since, version);
    assert.match(commit, /^[0-9a-f]{40}$/);
  });
});

describe('verifyBreaks', () => {
  const found = { openapi: [{ rule: 'path-removed', at: '/a', text: '', isBreaking: true }] };
  const declared = { document: 'openapi', rule: 'path-removed', at: '/a', reason: 'No client can call it.' };

  it('accepts a declared change only with a reason', () => {
    assert.deepEqual(verifyBreaks(found, [declared]), { undeclared: [], unused: [] });
    assert.equal(verifyBreaks(found, [{ ...declared, reason: ' ' }]).undeclared.length, 1);
    assert.equal(verifyBreaks(found, [{ ...declared, at: '/b' }]).undeclared.length, 1);
  });

  it('reports declarations without a change', () => {
    assert.deepEqual(verifyBreaks({}, [declared]).unused, [declared]);
  });

  it('ignores compatible changes', () => {
    const warning = { rule: 'status-added', at: '/a', text: '', isBreaking: false };
    assert.deepEqual(verifyBreaks({ openapi: [warning] }, []).undeclared, []);
  });
});

const createOrder = (/** @type {any} */ { paths }) => paths['/api/v1/pay/create-order'].post;
const listOrders = (/** @type {any} */ { paths }) => paths['/api/v1/pay/order/{id}'].get;
const schema = (/** @type {any} */ document, /** @type {string} */ name) => document.components.schemas[name];
const request = (/** @type {any} */ document) => schema(document, 'CreateOrderRequest');
const reply = (/** @type {any} */ document) => schema(document, 'DirectOrderCreated');

/**
 * @type {[string, string, (document: any) => void][]} the rule that must report the change, its description, and the
 * change itself
 */
const apiMutations = [
  ['path-removed', 'a path is removed', (document) => delete document.paths['/api/v1/pay/create-order']],
  ['method-removed', 'a method is removed', ({ paths }) => delete paths['/api/v1/pay/create-order'].post],
  [
    'operation-renamed',
    'an operation is renamed',
    (document) => (createOrder(document).operationId = 'makeOrder'),
  ],
  [
    'security',
    'anonymous calls are rejected',
    (document) => (createOrder(document).security = [{ bearer: [] }]),
  ],
  ['status-removed', 'a status is removed', (document) => delete createOrder(document).responses['200']],
  [
    'header-removed',
    'a header is removed',
    (document) => delete createOrder(document).responses['200'].headers['x-request-id'],
  ],
  [
    'media-type-removed',
    'a media type is removed',
    (document) => (createOrder(document).responses['200'].content = {}),
  ],
  ['body-removed', 'a body is no longer accepted', (document) => delete createOrder(document).requestBody],
  [
    'parameter-required',
    'a new parameter is required',
    (document) =>
      createOrder(document).parameters.push({ in: 'header', name: 'x-new', required: true, schema: {} }),
  ],
  [
    'parameter-required',
    'a parameter becomes required',
    (document) => (createOrder(document).parameters[0].required = true),
  ],
  ['parameter-removed', 'a path parameter is removed', (document) => (listOrders(document).parameters = [])],
  [
    'in-bound',
    'a parameter gets shorter',
    (document) => (createOrder(document).parameters[0].schema.maxLength = 20),
  ],
  [
    'in-field-removed',
    'a request field is removed',
    (document) => delete request(document).properties.merchant_id,
  ],
  [
    'in-field-required',
    'a request field becomes required',
    (document) => request(document).required.push('new_field'),
  ],
  [
    'in-type',
    'a request field has another type',
    (document) => (request(document).properties.merchant_id.type = 'integer'),
  ],
  [
    'in-bound',
    'a request field gets shorter',
    (document) => (request(document).properties.merchant_id.maxLength = 2),
  ],
  [
    'in-pattern',
    'a pattern changes',
    (document) => (request(document).properties.merchant_amount.pattern = '^[1-9]$'),
  ],
  [
    'in-enum',
    'a request value is no longer accepted',
    (document) => (request(document).properties.pay_token.enum = ['USDC']),
  ],
  ['out-field-removed', 'a reply field is removed', (document) => delete reply(document).properties.order_id],
  ['out-field-optional', 'a reply field becomes optional', (document) => (reply(document).required = [])],
  [
    'out-type',
    'a reply field may be null',
    (document) => (reply(document).properties.order_id.type = ['string', 'null']),
  ],
  ['out-enum', 'a reply field gets open', (document) => delete reply(document).properties.method.enum],
  ['webhook-removed', 'a webhook is removed', ({ webhooks }) => delete webhooks['order.settled']],
  [
    'header-removed',
    'a webhook loses a header',
    ({ webhooks }) => (webhooks['order.settled'].post.parameters = []),
  ],
];

const channel = 'orderSettledV1';
const changed = (/** @type {any} */ document) => document.components.schemas.OrderChanged;

/** @type {[string, string, (document: any) => void][]} */
const eventMutations = [
  ['channel-removed', 'an event is removed', ({ channels }) => delete channels[channel]],
  ['address', 'a subject changes', ({ channels }) => (channels[channel].address += '.x')],
  ['message-removed', 'a message is removed', ({ channels }) => (channels[channel].messages = {})],
  ['operation-removed', 'an operation is removed', ({ operations }) => delete operations.subscribe],
  [
    'out-field-removed',
    'an event field is removed',
    (document) => delete changed(document).properties.order_id,
  ],
  ['out-field-optional', 'an event field becomes optional', (document) => changed(document).required.shift()],
  [
    'out-type',
    'an event field has another type',
    (document) => (changed(document).properties.order_id.type = 'integer'),
  ],
  [
    'out-enum',
    'an event has a new status',
    (document) => changed(document).properties.status.enum.push('escalated'),
  ],
];

for (const [document, mutations] of /** @type {const} */ ([
  ['openapi', apiMutations],
  ['asyncapi', eventMutations],
])) {
  describe(`a change of ${document}.json`, () => {
    for (const [rule, what, mutate] of mutations) {
      it(`counts as breaking when ${what}`, () => {
        const [before, after] = [releasedContract(version, document), releasedContract(version, document)];
        assert.deepEqual(compareContracts(document, before, after), []);
        mutate(after);
        const found = compareContracts(document, before, after).filter(({ isBreaking }) => isBreaking);
        assert.ok(
          found.some((finding) => finding.rule === rule),
          `${rule} expected, found ${JSON.stringify(found)}`,
        );
      });
    }
  });
}
