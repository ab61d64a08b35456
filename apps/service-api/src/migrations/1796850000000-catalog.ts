import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Catalog1796850000000 implements MigrationInterface {
  readonly name = 'Catalog1796850000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(services);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE catalog_services');
  }
}

const services = `
  CREATE TABLE catalog_services (
    id text PRIMARY KEY,
    -- In the order of the list that the app fills this from at each start.
    place integer NOT NULL,
    category text NOT NULL,
    name text NOT NULL,
    keywords text NOT NULL,
    description text NOT NULL,
    -- The service as it is shown, but for whether it can be called.
    listed json NOT NULL,
    words tsvector NOT NULL GENERATED ALWAYS AS (
      setweight(to_tsvector('english'::regconfig, name || ' ' || translate(id, '-', ' ')), 'A') ||
      setweight(to_tsvector('english'::regconfig, keywords || ' ' || translate(category, '-', ' ')), 'B') ||
      setweight(to_tsvector('english'::regconfig, description), 'C')) STORED
  );
  CREATE INDEX catalog_services_words ON catalog_services USING gin (words);
  CREATE INDEX catalog_services_category ON catalog_services (category, place);
`;
