/*
 * Pays an order only once and before its deadline. The merchant and the fee receiver get the exact amounts, or the
 * payment fails. The program never holds funds. No account can change it once its upgrade authority is given up. See
 * README.md.
 */
#include "runtime.h"
#include "errors.h"
#include "addresses.h"
#include "accounts.h"
#include "order.h"
#include "record.h"
#include "tokens.h"

enum code { PAY = 1, CLOSE = 2 };
struct shares { u64 merchant, fee; };

/* A receiver of both shares gets one transfer, so that one balance is compared with one sum. */
static struct shares shares_of(const struct order *order) {
  u64 fee = is_same(order->merchant, order->fee_receiver) ? 0 : order->fee_amount;
  struct shares shares = { order->amount_in - fee, fee };
  return shares;
}

OUT_OF_LINE u64 check_payment(const struct call *call, const struct order *order, const struct clock *now) {
  const struct account *a = call->accounts;
  u64 wanted = is_same(order->token, SYSTEM_PROGRAM) ? NATIVE_ACCOUNTS : TOKEN_ACCOUNTS;
  if (call->n_accounts != wanted) return WRONG_ACCOUNTS;
  if (!a[PAYER].is_signer) return PAYER_MUST_SIGN;
  if (!is_same(a[SYSTEM].key, SYSTEM_PROGRAM)) return WRONG_PROGRAM;
  if (!is_same(a[MERCHANT].key, order->merchant)) return WRONG_ACCOUNTS;
  if (!is_same(a[FEE_RECEIVER].key, order->fee_receiver)) return WRONG_ACCOUNTS;
  TRY(check_terms(order, now));
  TRY(check_receiver(&a[MERCHANT], a[PAYER].key));
  return order->fee_amount ? check_receiver(&a[FEE_RECEIVER], a[PAYER].key) : 0;
}

static u64 pay_native(const struct account *a, struct shares shares) {
  TRY(transfer_lamports(&a[PAYER], &a[MERCHANT], shares.merchant));
  return shares.fee ? transfer_lamports(&a[PAYER], &a[FEE_RECEIVER], shares.fee) : 0;
}

/*
 * Payer and receivers differ, and so do the owners of their token accounts. No transfer is therefore from an account to
 * itself.
 */
static u64 check_tokens(const struct account *a, const struct order *order, struct shares shares) {
  const struct account *program = &a[TOKEN_PROGRAM];
  if (!is_same(program->key, SPL_TOKEN) && !is_same(program->key, TOKEN_2022)) return WRONG_PROGRAM;
  if (!is_same(a[MINT].key, order->token)) return WRONG_ACCOUNTS;
  TRY(check_mint(&a[MINT], program));
  TRY(check_token_account(&a[FROM], program, order->token, a[PAYER].key));
  TRY(check_associated_account(&a[MERCHANT_TOKENS], program, order->token, order->merchant));
  return shares.fee ? check_associated_account(&a[FEE_TOKENS], program, order->token, order->fee_receiver) : 0;
}

OUT_OF_LINE u64 pay_tokens(const struct account *a, struct shares shares) {
  u64 merchant_before = token_balance(&a[MERCHANT_TOKENS]);
  u64 fee_before = shares.fee ? token_balance(&a[FEE_TOKENS]) : 0;
  TRY(transfer_tokens(a, MERCHANT_TOKENS, shares.merchant));
  if (shares.fee) TRY(transfer_tokens(a, FEE_TOKENS, shares.fee));
  TRY(check_received(&a[MERCHANT_TOKENS], merchant_before, shares.merchant));
  return shares.fee ? check_received(&a[FEE_TOKENS], fee_before, shares.fee) : 0;
}

OUT_OF_LINE u64 pay(const struct call *call) {
  const struct order *order = (const struct order *)(call->data + 8);
  const struct account *a = call->accounts;
  TRY(check_layout(order, call->len - 8));
  struct clock now;
  TRY(sol_get_clock_sysvar(&now));
  TRY(check_payment(call, order, &now));

  struct shares shares = shares_of(order);
  int is_native = is_same(order->token, SYSTEM_PROGRAM);
  if (!is_native) TRY(check_tokens(a, order, shares));
  TRY(record_payment(call, order, &now));
  return is_native ? pay_native(a, shares) : pay_tokens(a, shares);
}

u64 entrypoint(u8 *input) {
  struct account accounts[MAX_ACCOUNTS];
  struct call call;
  if (!read_call(input, accounts, &call)) return WRONG_ACCOUNTS;
  if (call.len < 8) return MALFORMED_INSTRUCTION;
  u64 code = *(const u64 *)call.data;
  if (code == PAY) return pay(&call);
  return code == CLOSE ? close_record(&call) : MALFORMED_INSTRUCTION;
}
