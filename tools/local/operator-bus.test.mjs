import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { isForDeployment, readOperatorBus } from './operator-bus.mjs';

const names = ['OPERATOR_NATS_URL', 'OPERATOR_NATS_URL_FILE', 'ALLOW_PLAINTEXT', 'TOLLBRIDGE_ENV'];
afterEach(() => {
  for (const name of names) delete process.env[name];
});

describe('readOperatorBus', () => {
  it('rejects a bus without TLS on another machine, unless there is a reason', () => {
    const plain = 'nats://operator:hunter2@nats.internal:4222';
    for (const TOLLBRIDGE_ENV of ['', 'production']) {
      process.env.TOLLBRIDGE_ENV = TOLLBRIDGE_ENV;
      assert.throws(() => readOperatorBus(plain), /OPERATOR_NATS_URL reaches NATS without TLS/);
      assert.throws(
        () => readOperatorBus(plain),
        (error) => !/hunter2/.test(error.message),
      );
    }
    process.env.ALLOW_PLAINTEXT = 'nats=private network';
    assert.equal(readOperatorBus(plain).url, plain);
  });

  it('accepts a bus with TLS or on this machine', () => {
    for (const url of ['tls://operator:x@nats.internal:4222', 'nats://operator:x@127.0.0.1:4222'])
      assert.equal(readOperatorBus(url).url, url);
  });

  it('names the missing variable', () => {
    assert.throws(() => readOperatorBus(undefined), /OPERATOR_NATS_URL is missing/);
  });
});

describe('isForDeployment', () => {
  it('gives the command line precedence over the environment', () => {
    assert.equal(isForDeployment({}), false);
    assert.equal(isForDeployment({ nats: 'tls://x' }), true);
    process.env.OPERATOR_NATS_URL_FILE = '/run/secrets/bus';
    assert.equal(isForDeployment({}), true);
    assert.equal(isForDeployment({ directory: '.tollbridge' }), false);
  });
});
