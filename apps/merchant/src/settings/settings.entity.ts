import { keep, PersonalData, Retention } from '@tollbridge/database';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Settings } from './merchant-settings';

/** The settings of a merchant. */
@Entity('settings')
@PersonalData({ columns: ['data', 'store_name', 'logo', 'embed_origins'] })
@Retention(keep('the settings of the merchant'))
@Check('settings_store_name_check', "(store_name <> '') AND (length(store_name) <= 64)")
@Check('settings_store_color_check', "store_color ~ '^#[0-9a-f]{6}$'")
@Check('settings_logo_check', '(logo IS NULL) = (logo_hash IS NULL)')
@Index('settings_logo_hash', ['logoHash'], { where: 'logo_hash IS NOT NULL' })
@Check('settings_embed_origins_check', 'cardinality(embed_origins) <= 10')
@Check('settings_wallet_check', "wallet <> ''")
export class SettingsEntity {
  @PrimaryColumn({ type: 'text' })
  readonly wallet: string;

  @Column({ type: 'json' })
  readonly data: Settings;

  @Column({ type: 'timestamptz', name: 'updated_at' })
  readonly updatedAt: Date;

  @Column({ type: 'text', name: 'store_name', nullable: true })
  readonly storeName: string | null;

  @Column({ type: 'text', name: 'store_color', nullable: true })
  readonly storeColor: string | null;

  /** Only the query by hash reads this column. */
  @Column({ type: 'bytea', nullable: true, select: false })
  readonly logo: Buffer | null;

  @Column({ type: 'text', name: 'logo_hash', nullable: true })
  readonly logoHash: string | null;

  @Column({ type: 'text', array: true, name: 'embed_origins', default: () => "'{}'" })
  readonly embedOrigins: string[];
}
