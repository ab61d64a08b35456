import { Inject, Injectable } from '@nestjs/common';
import { Clock, Database, transaction } from '@tollbridge/database';
import type { Pool, PoolClient } from 'pg';
import type { EndpointHealth } from './delivery';
import type { Transaction } from './webhook-messages.repository';
import { Peppers } from '../peppers/peppers';
import { WebhookSecrets } from './webhook-secrets';

export interface StoredEndpoint extends EndpointHealth {
  wallet: string;
  url: string | null;
  /** Encrypted. */
  secret: Buffer;
  secretCreatedAtMs: number;
  previousSecret: Buffer | null;
  previousSecretUntilMs: number | null;
  listenedUntilMs: number | null;
}

/** A new signing secret. Times are in ISO 8601. */
export interface NewSecret {
  secret: string;
  createdAt: string;
  previousSecretUntil: string | null;
}

export interface EndpointRow {
  wallet: string;
  url: string | null;
  secret: Buffer;
  secret_created_at: Date;
  previous_secret: Buffer | null;
  previous_secret_until: Date | null;
  failures_in_a_row: number;
  not_before: Date;
  gone_at: Date | null;
  listened_until?: Date | null;
}

// Limits the statement. Further messages keep their scheduled time.
const broughtForwardAtOnce = 1_000;

/** Reschedules the waiting messages of an endpoint to now, because it is healthy again or its merchant requests it. */
export async function bringForward(client: Transaction, wallet: string, now: Date): Promise<void> {
  await client.query({
    name: 'webhook-bring-forward',
    text: `UPDATE webhook_messages SET next_attempt_at = $2 WHERE id = ANY(ARRAY(
             SELECT id FROM webhook_messages WHERE wallet = $1 AND next_attempt_at > $2
             ORDER BY next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED))`,
    values: [wallet, now, broughtForwardAtOnce],
  });
}

/**
 * The webhook endpoints of merchants. Uses SQL because writes run in the transaction of the settings, and `find` shares
 * the row type of the queue.
 */
@Injectable()
export class WebhookEndpointsRepository {
  private readonly pool: Pool;

  constructor(
    { pool }: Database,
    private readonly secrets: WebhookSecrets,
    private readonly peppers: Peppers,
    @Inject(Clock) private readonly clock: Clock,
  ) {
    this.pool = pool;
  }

  /**
   * Sets the endpoint of a wallet to the URL of its settings, in their transaction; null disables it. Resets its
   * health, because the URL may be another server. Its secret stays.
   * @param url validated by `webhookUrlError`
   */
  async syncEndpoint(client: Transaction, wallet: string, url: string | null): Promise<void> {
    const now = new Date(this.clock.now());
    if (url === null) {
      await client.query(
        'UPDATE webhook_endpoints SET url = NULL, lease = NULL, leased_until = NULL WHERE wallet = $1',
        [wallet],
      );
      return;
    }
    // A worker that sends to the former URL loses its lease, and stops.
    await client.query(
      `INSERT INTO webhook_endpoints (wallet, url, secret, pepper_id, secret_created_at, not_before, created_at)
       VALUES ($1, $2, $3, $5, $4, $4, $4)
       ON CONFLICT (wallet) DO UPDATE SET url = $2, failures_in_a_row = 0, not_before = $4, gone_at = NULL,
         lease = NULL, leased_until = NULL`,
      [wallet, url, this.secrets.seal(this.secrets.create(), wallet), now, this.peppers.currentId],
    );
  }

  /**
   * Records messages of a wallet until a time, even without a URL. Never shortens the time of an earlier listener.
   * @param also makes further writes in the same transaction
   */
  async listen(
    wallet: string,
    untilMs: number,
    also: (client: PoolClient, listening: { untilMs: number; url: string | null }) => Promise<void>,
  ): Promise<void> {
    const now = new Date(this.clock.now());
    await transaction(this.pool, async (client) => {
      const { rows } = await client.query<Pick<EndpointRow, 'url'> & { listened_until: Date }>(
        `INSERT INTO webhook_endpoints AS e
           (wallet, secret, pepper_id, secret_created_at, not_before, created_at, listened_until)
         VALUES ($1, $2, $4, $3, $3, $3, $5)
         ON CONFLICT (wallet) DO UPDATE SET listened_until = greatest(e.listened_until, $5)
         RETURNING url, listened_until`,
        [
          wallet,
          this.secrets.seal(this.secrets.create(), wallet),
          now,
          this.peppers.currentId,
          new Date(untilMs),
        ],
      );
      const { url, listened_until: until } = rows[0]!;
      await also(client, { untilMs: until.getTime(), url });
    });
  }

  async find(wallet: string): Promise<StoredEndpoint | undefined> {
    const { rows } = await this.pool.query<EndpointRow>({
      name: 'webhook-endpoint-find',
      text: 'SELECT * FROM webhook_endpoints WHERE wallet = $1',
      values: [wallet],
    });
    return rows.map(endpointOf)[0];
  }

  /**
   * Ends the pause of an endpoint: its waiting messages are sent now, and its failure count is reset.
   * @param also makes further writes in the same transaction
   * @returns whether the wallet has an endpoint with a URL
   */
  async resume(
    wallet: string,
    also: (client: PoolClient, endpoint: StoredEndpoint) => Promise<void>,
  ): Promise<boolean> {
    const now = new Date(this.clock.now());
    return transaction(this.pool, async (client) => {
      const { rows } = await client.query<EndpointRow>(
        `UPDATE webhook_endpoints SET failures_in_a_row = 0, gone_at = NULL, not_before = least(not_before, $2)
         WHERE wallet = $1 AND url IS NOT NULL RETURNING *`,
        [wallet, now],
      );
      const endpoint = rows.map(endpointOf)[0];
      if (!endpoint) return false;
      await bringForward(client, wallet, now);
      await also(client, endpoint);
      return true;
    });
  }

  /**
   * Stores a new secret.
   * @param also makes further writes in the same transaction
   * @returns whether the wallet has an endpoint
   */
  async rotate(
    wallet: string,
    { secret, createdAt, previousSecretUntil: until }: NewSecret,
    also: (client: PoolClient) => Promise<void>,
  ): Promise<boolean> {
    return transaction(this.pool, async (client) => {
      const { rowCount } = await client.query(
        `UPDATE webhook_endpoints SET previous_secret = CASE WHEN $4::timestamptz IS NULL THEN NULL ELSE secret END,
           previous_secret_until = $4, secret = $2, secret_created_at = $3,
           pepper_id = CASE WHEN pepper_id = $5 THEN pepper_id END WHERE wallet = $1`,
        // When the two secrets have different peppers, the row has no pepper id.
        [wallet, this.secrets.seal(secret, wallet), createdAt, until, this.peppers.currentId],
      );
      if (rowCount === 0) return false;
      await also(client);
      return true;
    });
  }

  /**
   * Re-encrypts secrets under the current pepper, for at most `limit` endpoints in the order of wallets. The next call
   * handles endpoints that change meanwhile.
   * @returns the last wallet, or undefined when none is left
   */
  async reseal(afterWallet: string, limit: number): Promise<string | undefined> {
    const { rows } = await this.pool.query<EndpointRow>({
      name: 'webhook-endpoints-to-reseal',
      text: `SELECT * FROM webhook_endpoints WHERE pepper_id IS DISTINCT FROM $1 AND wallet > $2
             ORDER BY wallet LIMIT $3`,
      values: [this.peppers.currentId, afterWallet, limit],
    });
    for (const row of rows) await this.resealOne(row);
    return rows.length === limit ? rows.at(-1)!.wallet : undefined;
  }

  private async resealOne({ wallet, secret, previous_secret: previous }: EndpointRow): Promise<void> {
    const [sealed, sealedPrevious] = [secret, previous].map((each) => this.resealed(each, wallet));
    // A secret that cannot be decrypted is not changed, and is counted.
    if (!sealed || (previous && !sealedPrevious)) return;
    await this.pool.query({
      name: 'webhook-endpoint-reseal',
      text: `UPDATE webhook_endpoints SET secret = $4, previous_secret = $5, pepper_id = $6
             WHERE wallet = $1 AND secret = $2 AND previous_secret IS NOT DISTINCT FROM $3`,
      values: [wallet, secret, previous, sealed, sealedPrevious ?? null, this.peppers.currentId],
    });
  }

  private resealed(sealed: Buffer | null, wallet: string): Buffer | undefined {
    const secret = sealed && this.secrets.open(sealed, wallet);
    return secret ? this.secrets.seal(secret, wallet) : undefined;
  }
}

export function endpointOf(row: EndpointRow): StoredEndpoint {
  return {
    wallet: row.wallet,
    url: row.url,
    secret: row.secret,
    secretCreatedAtMs: row.secret_created_at.getTime(),
    previousSecret: row.previous_secret,
    previousSecretUntilMs: row.previous_secret_until?.getTime() ?? null,
    failuresInARow: row.failures_in_a_row,
    notBeforeMs: row.not_before.getTime(),
    goneAtMs: row.gone_at?.getTime() ?? null,
    listenedUntilMs: row.listened_until?.getTime() ?? null,
  };
}
