import { Retention, swept } from '@tollbridge/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ListedService } from './service';

@Entity('catalog_services')
@Retention(swept({ by: 'CatalogRepository', rule: 'filled from the code at each start' }))
@Index('catalog_services_category', ['category', 'place'])
// TypeORM cannot express a GIN index.
@Index('catalog_services_words', { synchronize: false })
export class CatalogServiceRow {
  @PrimaryColumn('text')
  id: string;
  @Column('integer')
  place: number;
  @Column('text')
  category: string;
  @Column('text')
  name: string;
  @Column('text')
  keywords: string;
  @Column('text')
  description: string;
  @Column('json')
  listed: ListedService;
  @Column({
    type: 'tsvector',
    select: false,
    insert: false,
    update: false,
    generatedType: 'STORED',
    // In the form that PostgreSQL prints.
    asExpression:
      "((setweight(to_tsvector('english'::regconfig, ((name || ' '::text) || translate(id, '-'::text, ' '::text))), " +
      `'A'::"char") || setweight(to_tsvector('english'::regconfig, ((keywords || ' '::text) || ` +
      `translate(category, '-'::text, ' '::text))), 'B'::"char")) || ` +
      `setweight(to_tsvector('english'::regconfig, description), 'C'::"char"))`,
  })
  words: string;
}
