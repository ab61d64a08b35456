/* Codes start at 101, because a failed call to another program returns that program's own small code. */
enum error {
  MALFORMED_INSTRUCTION = 101, /* unknown instruction, or data of a wrong length */
  WRONG_ACCOUNTS = 102,        /* wrong number of accounts, or an account that is not part of the order */
  PAYER_MUST_SIGN = 103,       /* the payer has not signed */
  WRONG_PROGRAM = 104,         /* not the System program, or neither SPL Token nor Token-2022 */
  WRONG_RECORD = 105,          /* not the address of this order's record, or not a record */
  ORDER_EXPIRED = 106,         /* the deadline has passed */
  ORDER_ALREADY_PAID = 107,    /* this order was already paid */
  AMOUNTS_DO_NOT_ADD_UP = 108, /* amount_in differs from merchant_amount + fee_amount */
  ZERO_MERCHANT_AMOUNT = 109,  /* the merchant would receive nothing */
  TOKEN_NAME_TOO_LONG = 110,   /* token_in or token_out has more than 128 bytes */
  INVALID_RECEIVER = 111,      /* the receiver is not a wallet, so the funds could be lost */
  PAYER_IS_RECEIVER = 112,     /* the payer is also a receiver, so the payment would have no effect */
  UNSUPPORTED_TOKEN = 113,     /* not a mint of the token program, or a mint with a rejected extension */
  WRONG_TOKEN_ACCOUNT = 114,   /* not the payer's token account, or not the receiver's associated account */
  INEXACT_TRANSFER = 115,      /* the transferred amount differs from the requested one */
  RECORD_NOT_CLOSABLE = 116,   /* less than a day has passed since the order's deadline */
  UNKNOWN_RENT = 117,          /* this program does not support the form of the cluster's rent */
};
