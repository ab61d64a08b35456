/*
 * The record of a paid order, at an address that is derived from the hash of the whole order. While the record exists,
 * the order cannot be paid. The record can be closed only after the deadline.
 */
struct record {
  u8 payer[32];  /* receives the rent when the record is closed */
  u64 deadline;
  i64 paid_time; /* Unix seconds, by the clock of the cluster */
  u64 paid_slot;
};
#define CLOSABLE_AFTER 86400ULL /* seconds after the deadline, so that a backend can read the record after an outage */
#define ACCOUNT_OVERHEAD 128ULL
#define ONE 0x3ff0000000000000ULL /* 1.0 and 2.0 as doubles; SIMD-0194 changes the threshold from 2.0 to 1.0 */
#define TWO 0x4000000000000000ULL
enum system { ASSIGN = 1, TRANSFER = 2, ALLOCATE = 8 };

static const u8 RECORD_SEED[] = "order";

static u64 record_rent(u64 *lamports) {
  struct rent rent;
  if (sol_get_rent_sysvar(&rent)) return UNKNOWN_RENT;
  if (rent.threshold_bits != ONE && rent.threshold_bits != TWO) return UNKNOWN_RENT;
  u64 per_byte = rent.lamports_per_byte_year * (rent.threshold_bits == TWO ? 2 : 1);
  *lamports = (ACCOUNT_OVERHEAD + sizeof(struct record)) * per_byte;
  return 0;
}

struct system_call { const struct account *accounts; const struct meta *metas; u64 n; const struct slice *signer; };

OUT_OF_LINE u64 call_system(const struct system_call *call, u32 code, const void *argument, u64 len) {
  u8 data[36];
  struct instruction ix = { SYSTEM_PROGRAM, call->metas, call->n, data, 4 + len };
  copy(data, &code, 4);
  copy(data + 4, argument, len);
  return sol_invoke_signed_c(&ix, call->accounts, call->n, call->signer, call->signer ? 1 : 0);
}

OUT_OF_LINE u64 transfer_lamports(const struct account *from, const struct account *to, u64 lamports) {
  struct account accounts[2] = { *from, *to };
  struct meta metas[2] = { { from->key, 1, 1 }, { to->key, 1, 0 } };
  struct system_call system = { accounts, metas, 2, 0 };
  return call_system(&system, TRANSFER, &lamports, 8);
}

/*
 * Creates the record in three steps. CreateAccount fails for an address with lamports, so a third party could block an
 * order by sending one lamport.
 */
OUT_OF_LINE u64 create_record(const struct call *call, const struct slice *seeds) {
  const struct account *record = &call->accounts[RECORD];
  u64 rent, space = sizeof(struct record), held = *record->lamports;
  TRY(record_rent(&rent));
  if (held < rent) TRY(transfer_lamports(&call->accounts[PAYER], record, rent - held));
  struct account accounts[1] = { *record };
  struct meta metas[1] = { { record->key, 1, 1 } };
  struct slice signer = { seeds, 3 };
  struct system_call system = { accounts, metas, 1, &signer };
  TRY(call_system(&system, ALLOCATE, &space, 8));
  accounts[0].len = space;
  return call_system(&system, ASSIGN, call->program, 32);
}

/*
 * Creates the record at the order's address, with rent from the payer. Fails for any other address and for a paid
 * order.
 */
OUT_OF_LINE u64 record_payment(const struct call *call, const struct order *order, const struct clock *now) {
  const struct account *record = &call->accounts[RECORD];
  u8 hash[32] ALIGNED, address[32] ALIGNED, bump;
  struct slice parts[2] = { { ORDER_TAG, sizeof ORDER_TAG - 1 }, { order, call->len - 8 } };
  TRY(sol_sha256(parts, 2, hash));
  struct slice seeds[3] = { { RECORD_SEED, sizeof RECORD_SEED - 1 }, { hash, 32 }, { &bump, 1 } };
  /* The bump is computed here. With a bump from the client, an order would have several addresses. */
  if (sol_try_find_program_address(seeds, 2, call->program, address, &bump)) return WRONG_RECORD;
  if (!is_same(address, record->key)) return WRONG_RECORD;
  if (!is_same(record->owner, SYSTEM_PROGRAM)) return ORDER_ALREADY_PAID;

  TRY(create_record(call, seeds));
  struct record *content = (struct record *)record->data;
  copy(content->payer, call->accounts[PAYER].key, 32);
  content->deadline = order->deadline;
  content->paid_time = now->unix_time;
  content->paid_slot = now->slot;
  return 0;
}

/* Returns the rent to the payer. Any account may call it. A closed record can never be created again. */
OUT_OF_LINE u64 close_record(const struct call *call) {
  if (call->len != 8) return MALFORMED_INSTRUCTION;
  if (call->n_accounts != 2) return WRONG_ACCOUNTS;
  const struct account *record = &call->accounts[0], *payer = &call->accounts[1];
  /* Any user can assign an account to this program, with zeros as its content. */
  if (!is_same(record->owner, call->program) || record->len != sizeof(struct record)) return WRONG_RECORD;
  const struct record *content = (const struct record *)record->data;
  if (!is_same(content->payer, payer->key)) return WRONG_ACCOUNTS;

  struct clock now;
  TRY(sol_get_clock_sysvar(&now));
  u64 time = (u64)now.unix_time, deadline = content->deadline;
  if (time <= deadline || time - deadline <= CLOSABLE_AFTER) return RECORD_NOT_CLOSABLE;
  *payer->lamports += *record->lamports;
  *record->lamports = 0; /* the runtime deletes the account at the end of the transaction */
  return 0;
}
