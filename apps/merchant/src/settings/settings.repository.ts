import { Injectable } from '@nestjs/common';
import type { CallContext } from '@tollbridge/rpc';
import { Database, lockRows, transaction } from '@tollbridge/database';
import type { Pool, PoolClient } from 'pg';
import type { Repository } from 'typeorm';
import type { Settings } from './merchant-settings';
import { imageInfo, type ImageType } from './image-info';
import { SettingsEntity } from './settings.entity';
import type { StoreLogo } from './store-logo';
import { noStorefront, type Storefront } from './storefront';

type Change = 'stored' | 'deleted';

const putStatement = `INSERT INTO settings (wallet, data, store_name, store_color, embed_origins, logo, logo_hash, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (wallet) DO UPDATE SET data = excluded.data, store_name = excluded.store_name,
    store_color = excluded.store_color, embed_origins = excluded.embed_origins, logo = excluded.logo,
    logo_hash = excluded.logo_hash, updated_at = excluded.updated_at`;

/**
 * The only file that reads and writes the settings of merchants. Uses SQL because changes run in one transaction under
 * a lock.
 */
@Injectable()
export class SettingsRepository {
  private readonly pool: Pool;
  private readonly rows: Repository<SettingsEntity>;

  constructor({ pool, dataSource }: Database) {
    this.pool = pool;
    this.rows = dataSource.getRepository(SettingsEntity);
  }

  /** Uses SQL for a prepared statement (benchmark "create a payment request"). */
  async find(wallet: string): Promise<Settings | undefined> {
    const { rows } = await this.pool.query<{ data: Settings }>({
      name: 'settings-find',
      text: 'SELECT data FROM settings WHERE wallet = $1',
      values: [wallet],
    });
    return rows[0]?.data;
  }

  /** The name of the shop for payers; null without one. */
  async storeName(wallet: string): Promise<string | null> {
    return (await this.storefront(wallet)).storeName;
  }

  /** The settings of a merchant that its pages use. */
  async storefront(wallet: string): Promise<Storefront> {
    const select = {
      wallet: true,
      storeName: true,
      storeColor: true,
      logoHash: true,
      embedOrigins: true,
    } as const;
    const row = await this.rows.findOne({ select, where: { wallet } });
    return row ?? noStorefront;
  }

  /** A logo that at least one shop currently has. */
  async logo(hash: string): Promise<{ type: ImageType; content: Buffer } | undefined> {
    const row = await this.rows.findOne({ select: { wallet: true, logo: true }, where: { logoHash: hash } });
    const info = row?.logo ? imageInfo(row.logo) : undefined;
    return info && { type: info.type, content: row!.logo! };
  }

  /**
   * Stores the object and keeps the order of its members.
   * @param also makes further writes in the same transaction; it receives the previous settings
   */
  async put(
    wallet: string,
    settings: Settings,
    {
      nowMs,
      context,
      storefront,
      logo,
    }: { nowMs: number; context: CallContext; storefront: Storefront; logo: StoreLogo | undefined },
    also: (client: PoolClient, before: Settings) => Promise<void>,
  ): Promise<void> {
    await transaction(this.pool, async (client) => {
      await lockSettings(client, wallet);
      const { rows } = await client.query<{ data: Settings }>('SELECT data FROM settings WHERE wallet = $1', [
        wallet,
      ]);
      const { storeName, storeColor, embedOrigins } = storefront;
      const data = JSON.stringify(settings);
      const shown = [storeName, storeColor, embedOrigins, logo?.content ?? null, logo?.hash ?? null];
      await client.query(putStatement, [wallet, data, ...shown, new Date(nowMs)]);
      await appendChange(client, wallet, 'stored', nowMs, context);
      await also(client, rows[0]?.data ?? {});
    });
  }

  async delete(
    wallet: string,
    { nowMs, context }: { nowMs: number; context: CallContext },
    also: (client: PoolClient) => Promise<void>,
  ): Promise<void> {
    await transaction(this.pool, async (client) => {
      await lockSettings(client, wallet);
      await client.query('DELETE FROM settings WHERE wallet = $1', [wallet]);
      await appendChange(client, wallet, 'deleted', nowMs, context);
      await also(client);
    });
  }
}

/** Serialises changes of one wallet's settings, even when the wallet has no row yet. */
const lockSettings = (client: PoolClient, wallet: string): Promise<void> =>
  lockRows(client, 'settings', [wallet]);

/** The audit log of settings. It omits the settings themselves, because they may contain any data. */
async function appendChange(
  client: PoolClient,
  wallet: string,
  change: Change,
  nowMs: number,
  context: CallContext,
): Promise<void> {
  await client.query(
    'INSERT INTO settings_changes (wallet, change, request_id, changed_at) VALUES ($1, $2, $3, $4)',
    [wallet, change, context.requestId, new Date(nowMs)],
  );
}
