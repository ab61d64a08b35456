import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasEveryPackage } from './previous-checkout.mjs';

const lock = {
  '': { version: '0.1.0' },
  'apps/gateway': { version: '0.0.0' },
  'node_modules/@tollbridge/gateway': { link: true },
  'node_modules/nats': { version: '2.29.3' },
};

describe('hasEveryPackage', () => {
  it('accepts additional packages, and other versions of the workspace projects', () => {
    const present = { ...lock, '': { version: '0.2.0' }, 'node_modules/ajv': { version: '8.20.0' } };
    assert.equal(hasEveryPackage(lock, present), true);
  });

  it('rejects a missing package and another version', () => {
    const missing = Object.fromEntries(Object.entries(lock).filter(([name]) => name !== 'node_modules/nats'));
    assert.equal(hasEveryPackage(lock, missing), false);
    assert.equal(hasEveryPackage(lock, { ...lock, 'node_modules/nats': { version: '2.29.4' } }), false);
  });
});
