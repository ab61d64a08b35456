import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ListedService } from './service';

/** Not compared by TypeORM: it cannot read a generated column without its own metadata table. */
@Entity('catalog_services', { synchronize: false })
@Index('catalog_services_category', ['category', 'place'])
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
  /** Generated from name, id, keywords, category and description. */
  @Column({ type: 'tsvector', select: false, insert: false, update: false })
  words: string;
}
