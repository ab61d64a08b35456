// Cost of an API key for a request: with the key in the gateway's cache, and with a look-up.
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { presentedCredentials } = require('../../apps/gateway/dist/auth/presented-credentials.js');
const { CachedKeys } = require('../../apps/gateway/dist/auth/cached-keys.js');
const { internalKeysApi } = require('@tollbridge/contracts');
const { callContext } = require('@tollbridge/rpc');

// One check takes about a microsecond, which is less than the overhead of its measurement.
const atOnce = 1_000;

/**
 * @param key a secret key that the merchant app has stored
 * @param caller of bus-caller.mjs
 */
export function keyRows(key, caller) {
  const request = {
    headers: { authorization: `Bearer ${key}` },
    rawHeaders: ['Authorization', `Bearer ${key}`],
  };
  const reply = { keyId: 'bench', owner: 'bench', permissions: ['read'], plan: 'free', rate: null };
  const keys = new CachedKeys({ call: async () => reply }, 'test');
  const context = callContext();
  const check = async () => {
    await keys.find(key, context);
    for (let count = 0; count < atOnce; count++) keys.find(presentedCredentials(request).key, context);
  };
  const digest = createHash('sha256').update(key).digest('hex');
  return [
    { name: 'check a known key, 1,000 times', levels: [1], check },
    {
      name: 'ask for a key',
      of: 'raw NATS request/reply',
      check: () => caller.call(internalKeysApi.operations.authenticate, { digest, kind: 'secret' }),
    },
  ];
}
