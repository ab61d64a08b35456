/* The order as the payer's wallet sends it. All of these bytes are hashed into the address of the order's record. */
struct order {
  u8 id[16];           /* the order's UUID */
  u64 amount_in;       /* merchant_amount + fee_amount, in the token's smallest unit */
  u64 merchant_amount; /* above zero */
  u64 fee_amount;      /* may be zero */
  u64 deadline;        /* the last Unix second when the order can be paid */
  u8 token[32];        /* the mint, or the System program for the native coin */
  u8 merchant[32];     /* the wallet that receives merchant_amount */
  u8 fee_receiver[32]; /* the wallet that receives fee_amount; any address when that is zero */
  u8 names[];          /* token_in, then token_out: the length in one byte, then the text */
};
#define MAX_TOKEN_NAME_BYTES 128 /* the same limit as in TollbridgePay on EVM chains */

static const u8 ORDER_TAG[] = "tollbridge payment order v1";

/* Checks `order` and `len`, without the 8 bytes of the instruction's code. Only the exact length is valid. */
static u64 check_layout(const struct order *order, u64 len) {
  u64 fixed = sizeof *order;
  if (len < fixed + 1) return MALFORMED_INSTRUCTION;
  u64 token_in = order->names[0];
  if (token_in > MAX_TOKEN_NAME_BYTES) return TOKEN_NAME_TOO_LONG;
  if (len < fixed + 1 + token_in + 1) return MALFORMED_INSTRUCTION;
  u64 token_out = order->names[1 + token_in];
  if (token_out > MAX_TOKEN_NAME_BYTES) return TOKEN_NAME_TOO_LONG;
  return len == fixed + 2 + token_in + token_out ? 0 : MALFORMED_INSTRUCTION;
}

static u64 check_terms(const struct order *order, const struct clock *now) {
  if ((u64)now->unix_time > order->deadline) return ORDER_EXPIRED;
  if (order->merchant_amount == 0) return ZERO_MERCHANT_AMOUNT;
  if (order->fee_amount > order->amount_in) return AMOUNTS_DO_NOT_ADD_UP;
  return order->amount_in - order->fee_amount == order->merchant_amount ? 0 : AMOUNTS_DO_NOT_ADD_UP;
}

/*
 * A receiver must be a wallet: an account of the System program, or an account that does not exist yet. This rejects
 * mints, token accounts, programs and sysvars, where the funds could not be spent.
 */
static u64 check_receiver(const struct account *receiver, const u8 *payer) {
  if (!is_same(receiver->owner, SYSTEM_PROGRAM)) return INVALID_RECEIVER;
  if (is_same(receiver->key, INCINERATOR)) return INVALID_RECEIVER;
  return is_same(receiver->key, payer) ? PAYER_IS_RECEIVER : 0;
}
