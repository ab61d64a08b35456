import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** Accounts of the mail.tm simulator. */
@Entity('mailtm_accounts')
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
