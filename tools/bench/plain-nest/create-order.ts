import { IsNotEmpty, IsString, Matches, MaxLength } from 'class-validator';

/** The body of an order, as `POST /api/v1/pay/create-order` accepts it. */
export class CreateOrder {
  @IsString()
  @MaxLength(64)
  pay_blockchain: string;

  @IsString()
  @MaxLength(32)
  pay_token: string;

  @IsString()
  @MaxLength(64)
  settle_chain: string;

  @IsString()
  @MaxLength(32)
  settle_token: string;

  @Matches(/^0x[0-9a-fA-F]{40}$/)
  merchant_address: string;

  @Matches(/^[1-9]\d{0,77}$/)
  merchant_amount: string;

  @Matches(/^0x[0-9a-fA-F]{40}$/)
  fee_receiver: string;

  @Matches(/^\d{1,78}$/)
  fee_amount: string;

  @IsString()
  @IsNotEmpty()
  merchant_id: string;

  @Matches(/^0x[0-9a-fA-F]{40}$/)
  payer_address: string;
}
