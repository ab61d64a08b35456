import { Injectable } from '@nestjs/common';
import { Database, lockRows, transaction } from '@tollbridge/database';
import type { Pool } from 'pg';
import type { Repository } from 'typeorm';
import { CatalogServiceRow } from './catalog-services.entity';
import type { ListedService } from './service';

interface Row {
  listed: ListedService;
}

@Injectable()
export class CatalogRepository {
  private readonly pool: Pool;
  private readonly rows: Repository<CatalogServiceRow>;

  constructor({ pool, dataSource }: Database) {
    this.pool = pool;
    this.rows = dataSource.getRepository(CatalogServiceRow);
  }

  /** Replaces the catalog. SQL: a lock serialises replicas, and one set-based write skips unchanged rows. */
  async fill(services: readonly ListedService[]): Promise<void> {
    const rows = services.map(({ id, category, name, keywords, description, ...rest }, place) => {
      const listed = { id, category, name, keywords, description, ...rest };
      return { id, place, category, name, keywords: keywords.join(' '), description, listed };
    });
    await transaction(this.pool, async (client) => {
      await lockRows(client, 'catalog', ['']);
      await client.query(fillStatement, [JSON.stringify(rows)]);
      await client.query('DELETE FROM catalog_services WHERE id <> ALL($1::text[])', [
        services.map(({ id }) => id),
      ]);
    });
  }

  async list(limit: number): Promise<ListedService[]> {
    return this.inCategory(undefined, limit);
  }

  async find(id: string): Promise<ListedService | undefined> {
    return (await this.rows.findOneBy({ id }))?.listed;
  }

  async inCategory(category: string | undefined, limit: number): Promise<ListedService[]> {
    const rows = await this.rows.find({
      select: { id: true, listed: true },
      ...(category !== undefined && { where: { category } }),
      order: { place: 'ASC', id: 'ASC' },
      take: limit,
    });
    return rows.map(({ listed }) => listed);
  }

  /**
   * SQL: full-text search (bench row "catalog search of 10,000").
   * @param words letters and digits only, so that no word is a search operator
   */
  async search(
    words: readonly string[],
    category: string | undefined,
    limit: number,
  ): Promise<ListedService[]> {
    const query = (suffix: string) => words.map((word) => `'${word}'${suffix}`).join(' & ');
    const { rows } = await this.pool.query<Row>({
      ...searchStatement,
      values: [query(':*'), query(''), category ?? null, limit],
    });
    return rows.map(({ listed }) => listed);
  }
}

const fillStatement = `
  INSERT INTO catalog_services AS c (id, place, category, name, keywords, description, listed)
  SELECT * FROM json_to_recordset($1::json)
    AS s (id text, place integer, category text, name text, keywords text, description text, listed json)
  ON CONFLICT (id) DO UPDATE SET place = excluded.place, category = excluded.category, name = excluded.name,
    keywords = excluded.keywords, description = excluded.description, listed = excluded.listed
  WHERE (c.place, c.listed::text) IS DISTINCT FROM (excluded.place, excluded.listed::text)`;

const searchStatement = {
  name: 'catalog-search',
  text: `SELECT c.listed FROM catalog_services c,
           (SELECT to_tsquery('english', $1) AS begun, to_tsquery('english', $2) AS whole) asked
         WHERE c.words @@ asked.begun AND ($3::text IS NULL OR c.category = $3)
         ORDER BY ts_rank(c.words, asked.whole) DESC, ts_rank(c.words, asked.begun) DESC, c.place, c.id LIMIT $4`,
};
