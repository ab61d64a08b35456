import { eventually } from '@tollbridge/testing';
import { Client } from 'pg';
import type { Harness } from './harness';

const wallet = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
// More than the limit of any role.
const mostConnections = 100;
// A caller times out after ten seconds.
const promptMs = 8_000;

/** Opens connections of a role until PostgreSQL rejects more. */
async function takeConnections(url: string): Promise<{ thieves: Client[]; rejection: string | undefined }> {
  const thieves: Client[] = [];
  for (;;) {
    const thief = new Client({ connectionString: url });
    thief.on('error', () => undefined);
    try {
      await thief.connect();
    } catch (error) {
      return { thieves, rejection: (error as { code?: string }).code };
    }
    thieves.push(thief);
    if (thieves.length === mostConnections) return { thieves, rejection: undefined };
  }
}

const codeOf = (query: Promise<unknown>): Promise<string | undefined> =>
  query.then(
    () => undefined,
    (error) => (error as { code?: string }).code,
  );

/** An attacker with the password of one database role, against the requests that other apps serve. */
export function stolenRoleCases(harness: () => Harness): void {
  test('a merchant creates API keys while an attacker holds all locks and connections that another role can hold', async () => {
    const { urls, passwords } = harness().state;
    const url = new URL(urls.postgres);
    [url.username, url.password, url.pathname] = [
      'service_api',
      passwords.postgres['service_api']!,
      '/tollbridge',
    ];
    const { thieves, rejection } = await takeConnections(url.toString());
    try {
      expect(rejection).toBe('53300');
      const [first, sleeper] = thieves as [Client, Client];
      for (const call of ['pg_advisory_lock(1)', 'lo_create(0)', `pg_notify('a', 'b')`])
        expect(await codeOf(first.query(`SELECT ${call}`))).toBe('42501');
      expect(await codeOf(first.query('SELECT FROM merchant.lock_rows FOR UPDATE'))).toBe('42501');
      for (const thief of thieves) {
        for (const bound of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
          await thief.query(`SET ${bound} = 0`);
        await thief.query('BEGIN; LOCK TABLE lock_rows IN ROW EXCLUSIVE MODE');
      }
      sleeper.query('SELECT pg_sleep(600)').catch(() => undefined);
      const startMs = performance.now();
      const reply = await fetch(`${harness().gateway}/api/keys`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-wallet': wallet },
        body: JSON.stringify({ label: 'shop', permissions: ['read'], monthlyBudget: '', maxPerTx: '' }),
      });
      expect([reply.status, await reply.json()]).toEqual([
        200,
        expect.objectContaining({ id: expect.any(String) }),
      ]);
      expect(performance.now() - startMs).toBeLessThan(promptMs);
      const ready = await fetch(`${urls.management['merchant']}/health/ready`);
      expect(ready.status).toBe(200);
    } finally {
      await Promise.all(thieves.map((thief) => thief.end()));
    }
    await eventually(async () => {
      const services = await fetch(`${harness().gateway}/health/services`);
      expect(await services.json()).toMatchObject({ status: 'ok' });
    });
  });
}
