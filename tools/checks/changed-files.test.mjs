import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testsBeside } from './changed-files.mjs';
import { parts, partsOfChange, partsOfShard } from './parts.mjs';
import { readParts, readShard } from './test-command.mjs';

const int = /\.int\.spec\.ts$/;
const names = (/** @type {string[]} */ ...changed) => partsOfChange(changed).map(({ name }) => name);

describe('npm test -- --changed', () => {
  it('finds the integration tests in the folders of changed sources', () => {
    const found = testsBeside(['libs/platform/rpc/src/testing/shop.ts', 'docs/events.md'], int);
    assert.deepEqual(found, []);
    const webhooks = testsBeside(['apps/merchant/src/webhooks/webhooks.worker.ts'], int);
    assert.ok(webhooks.length > 0);
    assert.ok(webhooks.every((path) => path.startsWith('apps/merchant/src/webhooks/')));
  });

  it('runs a changed integration test itself', () => {
    const own = 'libs/platform/database/src/clock.int.spec.ts';
    assert.deepEqual(testsBeside([own], int), [own]);
  });

  it('runs only the parts that a change needs', () => {
    assert.deepEqual(names('docs/events.md'), ['lint and types', 'format', 'tools']);
    assert.deepEqual(names('libs/domain/money/src/units.ts'), ['lint and types', 'format', 'unit']);
    assert.ok(names('libs/onchain/contracts/TollbridgePay.sol').includes('contracts'));
    assert.ok(names('apps/merchant/src/webhooks/webhooks.worker.ts').includes('int'));
    assert.deepEqual(names('tools/checks/parts.mjs'), ['lint and types', 'format', 'tools']);
  });

  it('rejects unknown parts, arguments and commits', () => {
    assert.throws(() => readParts(['--only', 'nothing']), /There is no part nothing/);
    assert.throws(() => readParts(['stray']), /Unknown argument stray/);
    assert.throws(() => readParts(['--changed', '--only', 'unit']), /Use --only or --changed/);
    assert.throws(() => readParts(['--changed', 'no-such-commit']), /git diff failed/);
  });
});

describe('npm test -- --shard', () => {
  it('assigns each check to one machine, and the build and a share of the files to all', () => {
    const shares = [1, 2, 3].map((index) => partsOfShard(parts, { index, count: 3 }).map(({ name }) => name));
    for (const name of ['tools', 'unit', 'build', 'int', 'e2e', 'drills'])
      assert.ok(shares.every((share) => share.includes(name)));
    for (const name of ['lint and types', 'format', 'contracts'])
      assert.equal(shares.filter((share) => share.includes(name)).length, 1);
  });

  it('reads the number of the machine, and rejects other texts', () => {
    assert.deepEqual(readShard(['--shard', '2/3']), { index: 2, count: 3 });
    assert.equal(readShard([]), undefined);
    assert.throws(() => readParts(['--changed', '--shard', '1/3']), /Use --shard or --changed/);
    for (const wrong of ['0/3', '4/3', '1', 'a/b', '1/0', '01/3'])
      assert.throws(() => readShard(['--shard', wrong]), /--shard is/);
  });
});
