/* Codes start at 101: a failed call to another program surfaces with that program's own small code. */
enum error {
  MALFORMED_INSTRUCTION = 101, /* unknown instruction, or data of another length than its fields need */
  WRONG_ACCOUNTS = 102,        /* another number of accounts, or an account that the order does not name */
  PAYER_MUST_SIGN = 103,       /* the payer has not signed */
  WRONG_PROGRAM = 104,         /* not the System program, or neither SPL Token nor Token-2022 */
  WRONG_RECORD = 105,          /* the record's address does not belong to this order, or is not a record */
  ORDER_EXPIRED = 106,         /* the deadline has passed */
  ORDER_ALREADY_PAID = 107,    /* this order was already paid */
  AMOUNTS_DO_NOT_ADD_UP = 108, /* amount_in differs from merchant_amount + fee_amount */
  ZERO_MERCHANT_AMOUNT = 109,  /* the merchant would receive nothing */
  TOKEN_NAME_TOO_LONG = 110,   /* token_in or token_out has more than 128 bytes */
  INVALID_RECEIVER = 111,      /* the receiver is not a wallet: the funds could be lost */
  PAYER_IS_RECEIVER = 112,     /* the payer is also a receiver, so the payment would have no effect */
  UNSUPPORTED_TOKEN = 113,     /* no mint of the token program, or an extension that is not accepted */
  WRONG_TOKEN_ACCOUNT = 114,   /* not the payer's token account, or not the receiver's associated one */
  INEXACT_TRANSFER = 115,      /* the token moved another amount than requested */
  RECORD_NOT_CLOSABLE = 116,   /* less than a day has passed since the order's deadline */
  UNKNOWN_RENT = 117,          /* the cluster's rent has a form that this program does not know */
};
