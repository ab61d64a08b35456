import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { appEnvironment, appNames, migrationEnvironment } from './apps.mjs';
import { lock, tryLock, unlock, withLockFile } from './directory-lock.mjs';
import { Directory, repository } from './directory.mjs';
import { boundLogs } from './log-files.mjs';
import { startMark } from './processes.mjs';
import { ensurePasswords } from './passwords.mjs';
import { chooseGatewayPort, choosePorts } from './ports.mjs';

/** @type {Directory} */
let directory;

beforeEach(() => {
  directory = new Directory(mkdtempSync(join(tmpdir(), 'tollbridge-directory-')));
});

afterEach(() => rmSync(directory.path, { recursive: true }));

describe('the lock', () => {
  it('admits one process, and another one after the first has ended', () => {
    lock(directory);
    assert.throws(() => lock(directory), new RegExp(`already runs in .* \\(process ${process.pid}\\)`));
    unlock(directory);
    lock(directory);
  });

  it('takes over the lock of a dead process', async () => {
    const child = spawn('true');
    await once(child, 'exit');
    writeFileSync(directory.file('lock'), `${child.pid} 1\n`);
    assert.deepEqual(tryLock(directory), {});
  });

  it('takes over the lock of another process with the same id', () => {
    writeFileSync(directory.file('lock'), `${process.pid} 1\n`);
    assert.deepEqual(tryLock(directory), {});
  });

  it('does not take over the lock of a running process', () => {
    writeFileSync(directory.file('lock'), `${process.ppid} ${startMark(process.ppid)}\n`);
    assert.deepEqual(tryLock(directory), { holder: process.ppid });
    unlock(directory);
    assert.deepEqual(tryLock(directory), { holder: process.ppid });
  });
});

/** A program that holds the lock until its standard input ends. */
const holder = `
import { withLockFile } from '${new URL('./directory-lock.mjs', import.meta.url)}';
await withLockFile(process.argv[1], () => process.exit(1), async () => {
  process.stdout.write('held');
  for await (const _ of process.stdin);
});`;

/** A program that holds the lock until it exits. */
const longHolder = `
import { holdLockFile } from '${new URL('./directory-lock.mjs', import.meta.url)}';
await holdLockFile(process.argv[1], () => process.exit(1));
process.stdout.write('held');
for await (const _ of process.stdin);`;

describe('a lock file', () => {
  it('makes a second process wait, and returns the id of the first one', async () => {
    const path = directory.file('work.lock');
    const holding = spawn(process.execPath, ['--input-type=module', '--eval', holder, path], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(holding.stdout, 'data');
    /** @type {unknown[]} */
    const seen = [];
    const work = withLockFile(
      path,
      (pid) => {
        seen.push(pid);
        holding.stdin.end();
      },
      async () => void seen.push(existsSync(path), 'worked'),
    );
    const [code] = await once(holding, 'exit');
    await work;
    assert.deepEqual([code, ...seen], [0, holding.pid, true, 'worked']);
    assert.equal(existsSync(path), false);
  });

  it('holds the lock until the process ends', async () => {
    const path = directory.file('bench.lock');
    const holding = spawn(process.execPath, ['--input-type=module', '--eval', longHolder, path], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(holding.stdout, 'data');
    /** @type {number[]} */
    const seen = [];
    const waiting = withLockFile(
      path,
      (pid) => void seen.push(pid),
      async () => 'measured',
    );
    holding.stdin.end();
    assert.equal(await waiting, 'measured');
    assert.deepEqual(seen, [holding.pid]);
  });

  it('releases the lock if the work fails', async () => {
    const path = directory.file('work.lock');
    const fail = async () => Promise.reject(new Error('broken'));
    await assert.rejects(withLockFile(path, assert.fail, fail), /broken/);
    assert.equal(await withLockFile(path, assert.fail, async () => 'done'), 'done');
  });
});

describe('ports', () => {
  it('keeps the ports at the next start, except a port that is in use', async () => {
    const first = await choosePorts(directory, ['a', 'b']);
    assert.deepEqual(await choosePorts(directory, ['a', 'b']), first);
    const { createServer } = await import('node:net');
    const server = createServer().listen(first.a, '127.0.0.1');
    await once(server, 'listening');
    const second = await choosePorts(directory, ['a', 'b']);
    assert.notEqual(second.a, first.a);
    assert.equal(second.b, first.b);
    await assert.rejects(
      chooseGatewayPort(directory, String(first.a)),
      /is in use; free it or choose another: PORT=\d+ npm start/,
    );
    server.close();
  });

  it('never assigns a port of one process to another, even if nothing listens on it yet', async () => {
    const here = await choosePorts(directory, ['c']);
    const script = `
      import { Directory } from './tools/local/directory.mjs';
      import { choosePorts } from './tools/local/ports.mjs';
      console.log(JSON.stringify(await choosePorts(new Directory(process.argv[1]), ['c'])));
    `;
    const args = ['--input-type=module', '--eval', script, directory.path];
    const other = JSON.parse(execFileSync(process.execPath, args, { cwd: repository, encoding: 'utf8' }));
    assert.notEqual(Math.floor(other.c / 100), Math.floor(here.c / 100));
  });

  it('accepts any number as the public port, and rejects text', async () => {
    assert.ok((await chooseGatewayPort(directory, '0')) > 0);
    for (const wrong of ['abc', '-1', '65536', '3000.5'])
      await assert.rejects(chooseGatewayPort(directory, wrong), /must be a number/);
  });
});

describe('secrets', () => {
  it('creates passwords once, readable only by their owner', () => {
    const passwords = ensurePasswords(directory);
    assert.deepEqual(ensurePasswords(directory), passwords);
    assert.equal(statSync(directory.file('passwords.json')).mode & 0o777, 0o600);
    const all = [
      passwords.redis,
      passwords.keyPepper,
      ...Object.values(passwords.nats),
      ...Object.values(passwords.postgres),
    ];
    assert.equal(new Set(all).size, all.length);
  });

  it('gives an app only its own variables', async () => {
    const passwords = ensurePasswords(directory);
    const ports = Object.fromEntries(
      ['postgres', 'nats', 'redis', ...appNames].map((name, index) => [name, 20_000 + index]),
    );
    const setup = { directory, passwords, ports, gatewayPort: 3000 };
    const own = (/** @type {string} */ app) => [
      passwords.nats[app],
      passwords.postgres[app.replaceAll('-', '_')],
    ];
    for (const app of appNames) {
      const given = JSON.stringify(appEnvironment(setup, [app]));
      for (const other of appNames.filter((name) => name !== app)) {
        for (const secret of own(other).filter(Boolean))
          assert.ok(!given.includes(secret), `${app} gets a secret of ${other}`);
      }
      for (const secret of own(app).filter(Boolean))
        assert.ok(given.includes(secret), `${app} lacks its own`);
      assert.equal(given.includes(passwords.keyPepper), app === 'merchant');
      assert.equal(given.includes(passwords.redis), ['gateway', 'pay-orders'].includes(app));
      for (const role of Object.keys(passwords.postgres).filter((name) => /_owner$|^postgres$/.test(name))) {
        assert.ok(!given.includes(passwords.postgres[role]), `${app} gets the password of ${role}`);
      }
    }
    assert.match(
      migrationEnvironment(setup, 'pay-orders').PAY_ORDERS_MIGRATION_DATABASE_URL,
      /^postgres:\/\/pay_orders_owner:/,
    );
  });
});

describe('data', () => {
  it('deletes only known names', () => {
    writeFileSync(directory.file('letter.txt'), 'mine');
    writeFileSync(directory.file('world.json'), '{}');
    directory.deleteData();
    assert.equal(readFileSync(directory.file('letter.txt'), 'utf8'), 'mine');
    assert.equal(directory.readJson('world.json'), undefined);
  });

  it('reports a damaged file, and does not treat it as missing', () => {
    writeFileSync(directory.file('ports.json'), '{');
    assert.throws(() => directory.readJson('ports.json'), /is damaged/);
  });
});

describe('a log', () => {
  it('keeps the last lines of a log that has grown too large', async (context) => {
    context.mock.timers.enable({ apis: ['setInterval'] });
    const path = directory.file('logs', 'a.log');
    writeFileSync(path, `${'x'.repeat(99)}\n`.repeat(200_000));
    writeFileSync(path, 'the last line\n', { flag: 'a' });
    const stop = boundLogs(directory.file('logs'));
    context.mock.timers.tick(5_000);
    stop();
    const kept = readFileSync(path, 'utf8');
    assert.ok(kept.length <= 1e6 && kept.endsWith('the last line\n'));
    assert.equal(kept.split('\n')[0], 'x'.repeat(99));
  });
});
