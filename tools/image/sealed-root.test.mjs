import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { canSeal, imageUid, PlainRoot, SealedRoot } from './sealed-root.mjs';

const place = mkdtempSync(join(tmpdir(), 'tollbridge-sealed-'));
after(() => rmSync(place, { recursive: true }));
const content = join(place, 'content');
mkdirSync(content);
const secret = join(place, 'secret.txt');
writeFileSync(secret, 'a secret', { mode: 0o600 });

const probe = `
  const fs = require('node:fs');
  const write = (folder) => { try { fs.writeFileSync(folder + '/x', ''); return 'written'; } catch (error) { return error.code; } };
  const status = fs.readFileSync('/proc/self/status', 'utf8');
  console.log(JSON.stringify({
    uid: process.getuid(), groups: process.getgroups(), cwd: process.cwd(), environment: Object.keys(process.env).sort(),
    writes: Object.fromEntries(JSON.parse(process.env.FOLDERS).map((it) => [it, write(it)])),
    rights: [...status.matchAll(/^Cap\\w+:\\s+(\\w+)$/gm)].map(([, it]) => it), secret: fs.readFileSync(process.env.SECRET_FILE, 'utf8'),
    sees: fs.existsSync(process.env.OUTSIDE),
  }));`;
writeFileSync(join(content, 'probe.cjs'), probe);

/** @param {string[]} folders that the program tries to write to */
function runProbe(root, folders) {
  const env = { SECRET_FILE: root.addFile(secret), OUTSIDE: secret, FOLDERS: JSON.stringify(folders) };
  const { program, args, env: whole } = root.command(['probe.cjs'], env);
  const { status, stdout, stderr } = spawnSync(program, args, { env: whole, encoding: 'utf8' });
  assert.deepEqual([status, stderr], [0, '']);
  return JSON.parse(stdout);
}

if (canSeal()) {
  describe('SealedRoot', () => {
    it('runs a program as uid 1000 without rights, which can write only to its data folder', () => {
      const folders = ['/', '/tollbridge', '/usr', '/etc', '/dev', '/run/tollbridge', '/tmp', '/key'];
      const seen = runProbe(new SealedRoot(join(place, 'sealed'), content), folders);
      const { writes, ...rest } = seen;
      assert.deepEqual(rest, {
        uid: imageUid,
        groups: [imageUid],
        cwd: '/tollbridge',
        environment: ['FOLDERS', 'OUTSIDE', 'PATH', 'SECRET_FILE'],
        rights: Array(5).fill('0000000000000000'),
        secret: 'a secret',
        sees: false,
      });
      const { '/tmp': temporary, '/key': data, ...readOnly } = writes;
      assert.deepEqual([temporary, data], ['ENOENT', 'written']);
      assert.deepEqual([...new Set(Object.values(readOnly))], ['EROFS']);
    });

    it('passes SIGTERM to a program that is process 1, as in a container without an init process', async () => {
      writeFileSync(
        join(content, 'first.cjs'),
        `process.on('SIGTERM', () => { console.log('stopping'); process.exit(7); });
         setInterval(() => {}, 1000);
         console.log(process.pid);`,
      );
      const root = new SealedRoot(join(place, 'first'), content);
      const { program, args, env } = root.command(['first.cjs'], {}, ['--pid', '--fork', '--kill-child']);
      const unshare = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
      unshare.stdout.setEncoding('utf8');
      const [pid] = await once(unshare.stdout, 'data');
      assert.equal(pid, '1\n');
      const children = readFileSync(`/proc/${unshare.pid}/task/${unshare.pid}/children`, 'utf8');
      process.kill(Number(children), 'SIGTERM');
      const [[text], [code]] = await Promise.all([once(unshare.stdout, 'data'), once(unshare, 'exit')]);
      assert.deepEqual([text, code], ['stopping\n', 7]);
    });
  });
}

describe('PlainRoot', () => {
  it('runs the same program with the same environment as the current user', () => {
    const seen = runProbe(new PlainRoot(join(place, 'plain'), content), []);
    assert.deepEqual([seen.uid, seen.secret], [process.getuid?.(), 'a secret']);
    assert.deepEqual(seen.environment, ['FOLDERS', 'OUTSIDE', 'SECRET_FILE']);
  });
});
