import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { isServer, processorShares, residentMb, secondsOf } from './idle-figures.mjs';

describe('secondsOf', () => {
  it('adds user time, system time and that of ended children, with any process name', () => {
    const stat = '42 (node (a) b) S 1 2 3 4 5 6 7 8 9 10 250 50 75 25 20 0';
    assert.equal(secondsOf(stat), 4);
  });
});

describe('processorShares', () => {
  it('counts a busy child of an idle process, and nothing for a sleeping process', async () => {
    const busy = spawn('sh', ['-c', 'sh -c "while :; do :; done" & echo $!; wait']);
    const idle = spawn('sleep', ['30']);
    const [line] = await once(busy.stdout, 'data');
    try {
      const shares = await processorShares({ busy: busy.pid, idle: idle.pid }, 1);
      // A low bound, because a higher one would need an idle machine.
      assert.ok(shares.busy > 5, `busy took ${shares.busy} %`);
      assert.equal(shares.idle, 0);
      assert.ok(residentMb({ idle: idle.pid }).idle > 0);
    } finally {
      process.kill(Number(String(line)), 'SIGKILL');
      idle.kill('SIGKILL');
      await Promise.all([busy.exitCode ?? once(busy, 'exit'), idle.signalCode ?? once(idle, 'exit')]);
    }
  });
});

describe('isServer', () => {
  it('distinguishes servers and local chains from apps', () => {
    assert.ok(['postgres', 'nats', 'redis', 'anvil-8453'].every(isServer));
    assert.ok(!['gateway', 'nanopay', 'all-in-one'].some(isServer));
  });
});
