import { Column, Entity, PrimaryColumn, type MigrationInterface, type QueryRunner } from 'typeorm';
import { schemaDifferences } from './schema-differences';

class Goods1700000000000 implements MigrationInterface {
  readonly name = 'Goods1700000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE goods (id text PRIMARY KEY, title text NOT NULL,
        label text GENERATED ALWAYS AS (id || title) STORED)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE goods');
  }
}
const migrations = [Goods1700000000000];

@Entity('goods')
class GoodsRow {
  @PrimaryColumn('text')
  id: string;
  @Column('text')
  title: string;
  @Column({ type: 'text', nullable: true, generatedType: 'STORED', asExpression: '(id || title)' })
  label: string;
}

@Entity('goods')
class NullableGoodsRow {
  @PrimaryColumn('text')
  id: string;
  @Column('text', { nullable: true })
  title: string | null;
  @Column({ type: 'text', nullable: true, generatedType: 'STORED', asExpression: '(id || title)' })
  label: string;
}

describe('schemaDifferences', () => {
  it('returns no difference between a schema and its entities', async () => {
    expect(await schemaDifferences({ schema: 'shop', migrations, entities: [GoodsRow] })).toEqual([]);
  });

  it('reports a different column', async () => {
    expect(await schemaDifferences({ schema: 'shop', migrations, entities: [NullableGoodsRow] })).toEqual([
      'ALTER TABLE "goods" ALTER COLUMN "title" DROP NOT NULL',
    ]);
  });

  it('reports a table without an entity', async () => {
    expect(await schemaDifferences({ schema: 'shop', migrations, entities: [] })).toEqual([
      'No entity for table goods',
    ]);
  });
});
