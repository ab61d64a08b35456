import { keep, Retention } from '@tollbridge/database';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { SetRow } from '../storage/sets.entity';

/** A row of `nonce_claims`: one set owns the nonce of a signed transaction. Bigints are read as strings. */
@Entity('nonce_claims')
@Retention(keep('each nonce of a signer belongs to one set'))
@Index('nonce_claims_set', ['set_id'])
export class NonceClaimRow {
  @PrimaryColumn('bigint')
  chain_id: string;
  @PrimaryColumn('text')
  signer: string;
  @PrimaryColumn('bigint')
  nonce: string;
  @ForeignKey(() => SetRow, { name: 'nonce_claims_set_id_fkey' })
  @Column('uuid')
  set_id: string;
}
