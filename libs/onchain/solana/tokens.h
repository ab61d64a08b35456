/* Transfers of SPL Token and Token-2022. Both have the same layout of mints and token accounts up to these lengths. */
#define MINT_LEN 82ULL
#define MINT_DECIMALS 44
#define TOKEN_ACCOUNT_LEN 165ULL /* in Token-2022, a type byte and extensions follow */
#define TOKEN_ACCOUNT_OWNER 32
#define TOKEN_ACCOUNT_AMOUNT 64
#define ACCOUNT_TYPE_MINT 1
#define TRANSFER_CHECKED 12
#define TRANSFER_HOOK 14
#define TRANSFER_HOOK_PROGRAM 32

/*
 * Accepted extensions of a mint. They let the receiver get the sent amount immediately, without a call of another
 * program. All others, including future ones, are rejected. A fee extension is accepted with a fee of zero, since
 * PayPal USD has it.
 */
#define BIT(n) (1ULL << (n))
#define ACCEPTED_EXTENSIONS ( \
  BIT(1)  /* transfer fee: check_received rejects a fee above zero */ | \
  BIT(3)  /* mint close authority */ | BIT(4) /* confidential transfers */ | BIT(6) /* default account state */ | \
  BIT(12) /* permanent delegate */ | BIT(14) /* transfer hook: accepted only without a program */ | \
  BIT(16) /* confidential transfer fee */ | BIT(18) | BIT(19) /* metadata */ | \
  BIT(20) | BIT(21) | BIT(22) | BIT(23) /* groups */ | BIT(26) /* pausable */ )

static u16 read_u16(const u8 *at) { return (u16)(at[0] | at[1] << 8); }

OUT_OF_LINE u64 check_extensions(const u8 *data, u64 len) {
  if (len <= TOKEN_ACCOUNT_LEN || data[TOKEN_ACCOUNT_LEN] != ACCOUNT_TYPE_MINT) return UNSUPPORTED_TOKEN;
  for (u64 at = TOKEN_ACCOUNT_LEN + 1; at + 4 <= len;) {
    u64 type = read_u16(data + at), size = read_u16(data + at + 2);
    const u8 *value = data + at + 4;
    if (type == 0) return 0; /* the rest is unused space */
    at += 4 + size;
    if (at > len || type > 63 || !(ACCEPTED_EXTENSIONS & BIT(type))) return UNSUPPORTED_TOKEN;
    if (type == TRANSFER_HOOK && (size != 64 || !is_same(value + TRANSFER_HOOK_PROGRAM, SYSTEM_PROGRAM)))
      return UNSUPPORTED_TOKEN;
  }
  return 0;
}

static u64 check_mint(const struct account *mint, const struct account *token_program) {
  if (!is_same(mint->owner, token_program->key)) return UNSUPPORTED_TOKEN;
  if (mint->len == MINT_LEN) return 0;
  return is_same(token_program->key, TOKEN_2022) ? check_extensions(mint->data, mint->len) : UNSUPPORTED_TOKEN;
}

static u64 check_token_account(const struct account *it, const struct account *token_program, const u8 *mint,
                               const u8 *owner) {
  if (!is_same(it->owner, token_program->key) || it->len < TOKEN_ACCOUNT_LEN) return WRONG_TOKEN_ACCOUNT;
  return is_same(it->data, mint) && is_same(it->data + TOKEN_ACCOUNT_OWNER, owner) ? 0 : WRONG_TOKEN_ACCOUNT;
}

/*
 * Requires the receiver's associated token account, which wallets watch. Compares its owner too, because SPL Token lets
 * the owner transfer an account.
 */
OUT_OF_LINE u64 check_associated_account(const struct account *it, const struct account *token_program,
                                         const u8 *mint, const u8 *owner) {
  u8 address[32] ALIGNED, bump;
  struct slice seeds[3] = { { owner, 32 }, { token_program->key, 32 }, { mint, 32 } };
  if (sol_try_find_program_address(seeds, 3, ASSOCIATED_TOKEN, address, &bump)) return WRONG_TOKEN_ACCOUNT;
  if (!is_same(address, it->key)) return WRONG_TOKEN_ACCOUNT;
  return check_token_account(it, token_program, mint, owner);
}

static u64 token_balance(const struct account *it) { return *(const u64 *)(it->data + TOKEN_ACCOUNT_AMOUNT); }

static u64 check_received(const struct account *it, u64 before, u64 amount) {
  return token_balance(it) - before == amount ? 0 : INEXACT_TRANSFER;
}

/* @param to index of the receiver's account */
OUT_OF_LINE u64 transfer_tokens(const struct account *a, u64 to, u64 amount) {
  struct account accounts[4] = { a[FROM], a[MINT], a[to], a[PAYER] };
  struct meta metas[4] = { { a[FROM].key, 1, 0 }, { a[MINT].key, 0, 0 }, { a[to].key, 1, 0 }, { a[PAYER].key, 0, 1 } };
  u8 data[10] = { TRANSFER_CHECKED };
  copy(data + 1, &amount, 8);
  data[9] = a[MINT].data[MINT_DECIMALS];
  struct instruction ix = { a[TOKEN_PROGRAM].key, metas, 4, data, 10 };
  return sol_invoke_signed_c(&ix, accounts, 4, 0, 0);
}
