import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The webhook endpoint of a wallet, its encrypted secrets and its health. */
@Entity('webhook_endpoints')
@Retention(keep('a setting of the merchant'))
@Check('webhook_endpoints_lease', '(lease IS NULL) = (leased_until IS NULL)')
@Check('webhook_endpoints_pepper_id_check', 'octet_length(pepper_id) = 8')
@Check('webhook_endpoints_previous', '(previous_secret IS NULL) = (previous_secret_until IS NULL)')
@Check('webhook_endpoints_url_check', 'length(url) <= 2048')
@Check('webhook_endpoints_wallet_check', "wallet <> ''")
export class WebhookEndpointEntity {
  @PrimaryColumn({ type: 'text' })
  readonly wallet: string;

  @Column({ type: 'text', nullable: true })
  readonly url: string | null;

  @Column({ type: 'bytea' })
  readonly secret: Buffer;

  @Column({ type: 'bytea', name: 'pepper_id', nullable: true })
  readonly pepperId: Buffer | null;

  @Column({ type: 'timestamptz', name: 'secret_created_at' })
  readonly secretCreatedAt: Date;

  @Column({ type: 'bytea', name: 'previous_secret', nullable: true })
  readonly previousSecret: Buffer | null;

  @Column({ type: 'timestamptz', name: 'previous_secret_until', nullable: true })
  readonly previousSecretUntil: Date | null;

  @Column({ type: 'integer', name: 'failures_in_a_row', default: 0 })
  readonly failuresInARow: number;

  @Column({ type: 'timestamptz', name: 'not_before' })
  readonly notBefore: Date;

  @Column({ type: 'timestamptz', name: 'gone_at', nullable: true })
  readonly goneAt: Date | null;

  @Column({ type: 'uuid', nullable: true })
  readonly lease: string | null;

  @Column({ type: 'timestamptz', name: 'leased_until', nullable: true })
  readonly leasedUntil: Date | null;

  /** Until this time, messages are recorded even without a URL; null or past without a listener. */
  @Column({ type: 'timestamptz', name: 'listened_until', nullable: true })
  readonly listenedUntil: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  readonly createdAt: Date;
}
