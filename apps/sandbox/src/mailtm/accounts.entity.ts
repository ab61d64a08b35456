import { keep, Retention } from '@tollbridge/database';
import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** Accounts of the mail.tm simulator. */
@Entity('mailtm_accounts')
@Retention(keep('sandbox data: `npm start -- --fresh` deletes it'))
@Unique('mailtm_accounts_address_key', ['address'])
export class MailtmAccountEntity {
  @PrimaryColumn('text')
  id: string;
  @Column('text')
  address: string;
  @Column('bytea')
  salt: Buffer;
  @Column('bytea', { name: 'password_digest' })
  passwordDigest: Buffer;
  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
