import { Injectable } from '@nestjs/common';
import { keyEvents, type ApiKeyChanged, type KeyPlan } from '@tollbridge/contracts';
import type { CallContext, Permission } from '@tollbridge/rpc';
import { digestOfKey } from '@tollbridge/api-keys';
import type { Environment } from '@tollbridge/config';
import { Database, lockRows, transaction, type TransactionClient } from '@tollbridge/database';
import { timingSafeEqual } from 'node:crypto';
import type { Pool } from 'pg';
import { appendEvents } from '../events/events.repository';
import { Peppers } from '../peppers/peppers';
import type { ApiKey, OwnKey } from './api-key';
import type { SecretHashes } from './secret-hash';

/** A key to store, with the hash of its secret. */
export type NewApiKey = Omit<ApiKey, 'isEnabled' | 'isDeleted'> & { secretHash: Buffer };

interface KeyRow {
  id: string;
  owner: string;
  label: string;
  key: string;
  key_digest: Buffer;
  secret_hash: Buffer;
  pepper_id: Buffer | null;
  previous_pepper_id: Buffer | null;
  previous_secret_hash: Buffer | null;
  previous_secret_until: Date | null;
  permissions: Permission[];
  plan: KeyPlan;
  per_minute: number | null;
  burst: number | null;
  environment: Environment;
  monthly_budget: string | null;
  max_per_tx: string | null;
  enabled: boolean;
  deleted_at: Date | null;
  created_at: Date;
}

/**
 * The only file that reads and writes API keys. Uses SQL for locks, sums of spends, and the benchmark "ask for a key".
 */
@Injectable()
export class KeysRepository {
  private readonly pool: Pool;

  constructor(
    { pool }: Database,
    private readonly peppers: Peppers,
  ) {
    this.pool = pool;
  }

  /**
   * Finds a key by the SHA-256 of its publishable half. The index lookup is not constant-time; the value is public.
   */
  async findByKeyDigest(digest: Buffer): Promise<ApiKey | undefined> {
    const { rows } = await this.pool.query<KeyRow>({
      name: 'api-key-by-digest',
      text: 'SELECT * FROM api_keys WHERE key_digest = $1',
      values: [digest],
    });
    return rows.filter((row) => timingSafeEqual(row.key_digest, digest)).map(fromRow)[0];
  }

  /**
   * Finds a key by the HMACs of its secret. Without the pepper, a client cannot choose the value that the index
   * compares, so the time of the lookup reveals nothing. The found hash is compared in constant time.
   */
  async findBySecret(hashes: SecretHashes, nowMs: number): Promise<FoundKey | undefined> {
    const { rows } = await this.pool.query<KeyRow>(
      hashes.length === 1 ? { ...findBySecret, values: [hashes[0]] } : { ...findBySecrets, values: [hashes] },
    );
    return rows.flatMap((row) => foundKey(row, hashes, nowMs, this.peppers.currentId) ?? [])[0];
  }

  /**
   * Replaces the hash of a verified secret by its hash under the current pepper, unless the key has another secret by
   * now.
   */
  async rehash({ id }: ApiKey, stored: Buffer, [current]: SecretHashes): Promise<void> {
    const values = [id, stored, current, this.peppers.currentId];
    await this.pool.query({ name: 'api-key-rehash', text: rehashStatement, values });
  }

  /** @returns false when the owner already has `atMost` keys; concurrent inserts are counted */
  async insert(client: TransactionClient, key: NewApiKey, nowMs: number, atMost: number): Promise<boolean> {
    await lockRows(client, 'api keys', [key.owner]);
    const { rows } = await client.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM api_keys WHERE owner = $1 AND deleted_at IS NULL',
      [key.owner],
    );
    if (rows[0]!.count >= atMost) return false;
    await client.query({ name: 'api-key-insert', text: insertStatement, values: this.valuesOf(key, nowMs) });
    return true;
  }

  /** Inserts a key, or replaces the key with the same publishable half. */
  async put(key: NewApiKey, nowMs: number): Promise<void> {
    // ON CONFLICT covers only one of the two unique columns, and a concurrent insert could violate the other one. The
    // lock prevents that.
    await transaction(this.pool, async (client) => {
      await lockRows(client, 'api keys', [key.owner]);
      await client.query({ name: 'api-key-put', text: putStatement, values: this.valuesOf(key, nowMs) });
    });
  }

  /** The keys of an owner, newest first. @param month the month of the summed spends */
  async list(owner: string, month: string): Promise<OwnKey[]> {
    const { rows } = await this.pool.query<OwnRow>({
      name: 'api-keys-list',
      text: `${ownKeys} WHERE k.owner = $1 AND k.deleted_at IS NULL ORDER BY k.created_at DESC, k.id DESC`,
      values: [owner, month],
    });
    return rows.map(fromOwnRow);
  }

  async find(client: TransactionClient, { id, owner }: KeyOfOwner, month: string): Promise<OwnKey> {
    const { rows } = await client.query<OwnRow>({
      name: 'api-key-own',
      text: `${ownKeys} WHERE k.owner = $1 AND k.id = $3`,
      values: [owner, month, id],
    });
    return fromOwnRow(rows[0]!);
  }

  /** @returns whether the owner has this key; the methods below return the same */
  setEnabled(client: TransactionClient, of: KeyOfOwner, enabled: boolean, by: ChangeBy): Promise<boolean> {
    return change(client, enabled ? enableStatement : disableStatement, of, by);
  }

  /**
   * Replaces the secret. The former secret stays valid until `formerUntilMs`; null revokes it immediately, together
   * with any earlier one.
   */
  setSecret(
    client: TransactionClient,
    of: KeyOfOwner,
    { hash, formerUntilMs }: { hash: Buffer; formerUntilMs: number | null },
    by: ChangeBy,
  ): Promise<boolean> {
    const until = formerUntilMs === null ? null : new Date(formerUntilMs);
    return change(client, regenerateStatement, of, by, [hash, until, this.peppers.currentId]);
  }

  /** Marks a key as deleted. The row stays, so that a client learns why its key is rejected. */
  delete(client: TransactionClient, of: KeyOfOwner, by: ChangeBy): Promise<boolean> {
    return change(client, deleteStatement, of, by);
  }

  private valuesOf(key: NewApiKey, nowMs: number): unknown[] {
    return [...valuesOf(key, nowMs), this.peppers.currentId];
  }
}

/** A key that was found by a secret. */
export interface FoundKey {
  key: ApiKey;
  /** The stored hash when it was made with the former pepper or has no pepper id; otherwise undefined. */
  outdated?: Buffer;
}

/** Identifies a key of an owner. Keys of other owners do not match. */
export interface KeyOfOwner {
  id: string;
  owner: string;
}

interface ChangeBy {
  nowMs: number;
  context: CallContext;
}

async function change(
  client: TransactionClient,
  statement: { name: string; text: string },
  { id, owner }: KeyOfOwner,
  { nowMs, context }: ChangeBy,
  more: unknown[] = [],
): Promise<boolean> {
  const values = [id, new Date(nowMs), owner, ...more];
  const { rows } = await client.query<ChangedKey & { isChanged: boolean }>({ ...statement, values });
  const [key] = rows;
  if (key?.isChanged) await appendKeyChanged(client, key, { nowMs, context });
  return key !== undefined;
}

/** The columns of a changed key that its event contains. */
export type ChangedKey = Pick<KeyRow, 'id' | 'owner' | 'enabled' | 'deleted_at'> & { version: number };

/** Appends the event of a changed key in the caller's transaction. */
export async function appendKeyChanged(
  client: TransactionClient,
  { id, owner, enabled, deleted_at: deletedAt, version }: ChangedKey,
  { nowMs, context }: ChangeBy,
): Promise<void> {
  const data: ApiKeyChanged = {
    id,
    owner,
    enabled,
    deleted: deletedAt !== null,
    version,
    updated_at: new Date(nowMs).toISOString(),
  };
  const event = { aggregateId: id, aggregateVersion: version, occurredAtMs: nowMs, data };
  await appendEvents(client, keyEvents['api-key-changed'], [event], context);
}

type OwnRow = KeyRow & { used: string };

const ownKeys = `SELECT k.*, coalesce(m.used, 0) AS used
  FROM api_keys k LEFT JOIN key_months m ON m.key_id = k.id AND m.month = $2`;

/** A statement that changes a key that is not deleted. It locks the key, and writes only when `condition` holds. */
function changeStatement(
  name: string,
  assignment: string,
  condition: string,
): { name: string; text: string } {
  const text = `
    WITH known AS (
      SELECT k.id FROM api_keys k WHERE k.id = $1 AND k.owner = $3 AND k.deleted_at IS NULL FOR UPDATE
    ), changed AS (
      UPDATE api_keys k SET ${assignment}, version = k.version + 1, updated_at = $2
      FROM known WHERE k.id = known.id AND ${condition} RETURNING k.*
    )
    SELECT changed.id IS NOT NULL AS "isChanged", changed.id, changed.owner, changed.enabled, changed.deleted_at,
      changed.version
    FROM known LEFT JOIN changed ON true`;
  return { name: `api-key-${name}`, text };
}

const enableStatement = changeStatement('enable', 'enabled = true', 'NOT k.enabled');
const disableStatement = changeStatement('disable', 'enabled = false', 'k.enabled');
// Only one former secret is stored, so a second change in the grace period revokes the earlier one.
const regenerateStatement = changeStatement(
  'regenerate',
  `secret_hash = $4, pepper_id = $6, previous_secret_until = $5::timestamptz,
   previous_pepper_id = CASE WHEN $5::timestamptz IS NULL THEN NULL ELSE k.pepper_id END,
   previous_secret_hash = CASE WHEN $5::timestamptz IS NULL THEN NULL ELSE k.secret_hash END`,
  'true',
);
const deleteStatement = changeStatement('delete', 'deleted_at = $2', 'true');

const columns = [
  'id',
  'owner',
  'label',
  'key',
  'key_digest',
  'secret_hash',
  'permissions',
  'plan',
  'per_minute',
  'burst',
  'environment',
  'monthly_budget',
  'max_per_tx',
  'created_at',
  'updated_at',
  'pepper_id',
];
const insertStatement = `INSERT INTO api_keys (${columns.join(', ')})
  VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})`;
const replaced = columns.filter((column) => !['id', 'key', 'created_at'].includes(column));
const putStatement = `${insertStatement} ON CONFLICT (key) DO UPDATE SET enabled = true, deleted_at = NULL,
  ${replaced.map((column) => `${column} = excluded.${column}`).join(', ')}`;

function valuesOf(key: NewApiKey, nowMs: number): unknown[] {
  const now = new Date(nowMs);
  return [
    key.id,
    key.owner,
    key.label,
    key.key,
    Buffer.from(digestOfKey(key.key), 'hex'),
    key.secretHash,
    key.permissions,
    key.plan,
    key.customRate?.perMinute ?? null,
    key.customRate?.burst ?? null,
    key.environment,
    key.monthlyBudgetUsd,
    key.maxPerTxUsd,
    now,
    now,
  ];
}

const findBySecret = {
  name: 'api-key-by-secret',
  text: 'SELECT * FROM api_keys WHERE secret_hash = $1 OR previous_secret_hash = $1',
};
// A separate statement, because it is needed only during a rotation of the pepper.
const findBySecrets = {
  name: 'api-key-by-secrets',
  text: 'SELECT * FROM api_keys WHERE secret_hash = ANY ($1::bytea[]) OR previous_secret_hash = ANY ($1::bytea[])',
};
const rehashed = (prefix: string): string => `
  ${prefix}secret_hash = CASE WHEN ${prefix}secret_hash = $2 THEN $3 ELSE ${prefix}secret_hash END,
  ${prefix}pepper_id = CASE WHEN ${prefix}secret_hash = $2 THEN $4 ELSE ${prefix}pepper_id END`;
const rehashStatement = `UPDATE api_keys SET ${rehashed('')}, ${rehashed('previous_')}
  WHERE id = $1 AND (secret_hash = $2 OR previous_secret_hash = $2)`;

function foundKey(row: KeyRow, hashes: SecretHashes, nowMs: number, pepperId: Buffer): FoundKey | undefined {
  // Compares every hash, even after a match, so that the time does not reveal which hash matched.
  const matches = hashes.map((hash) => isSecretOf(row, hash!, nowMs));
  if (!matches.includes(true)) return undefined;
  const key = fromRow(row);
  if (hashes.length === 1) return { key };
  const stored = matches[0] ? hashes[0] : hashes[1]!;
  const name = row.secret_hash.equals(stored) ? row.pepper_id : row.previous_pepper_id;
  const isNamed = name !== null && name.equals(pepperId);
  return matches[0] && isNamed ? { key } : { key, outdated: stored };
}

function isSecretOf(row: KeyRow, hash: Buffer, nowMs: number): boolean {
  if (timingSafeEqual(row.secret_hash, hash)) return true;
  const { previous_secret_hash: previous, previous_secret_until: until } = row;
  return previous !== null && timingSafeEqual(previous, hash) && until !== null && until.getTime() > nowMs;
}

function fromRow(row: KeyRow): ApiKey {
  const { per_minute: perMinute, burst } = row;
  return {
    id: row.id,
    owner: row.owner,
    label: row.label,
    key: row.key,
    permissions: row.permissions,
    plan: row.plan,
    customRate: perMinute === null || burst === null ? null : { perMinute, burst },
    environment: row.environment,
    monthlyBudgetUsd: row.monthly_budget,
    maxPerTxUsd: row.max_per_tx,
    isEnabled: row.enabled,
    isDeleted: row.deleted_at !== null,
  };
}

function fromOwnRow(row: OwnRow): OwnKey {
  return {
    ...fromRow(row),
    usedUsd: row.used,
    previousSecretUntilMs: row.previous_secret_until?.getTime() ?? null,
    createdAtMs: row.created_at.getTime(),
  };
}
