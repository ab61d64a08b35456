/* The C interface of the Solana runtime: the layouts of its data, and its system calls. */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

#define ALIGNED __attribute__((aligned(8)))
#define OUT_OF_LINE static __attribute__((noinline)) /* not inlined, to bound stack frames to 4,096 bytes */
#define TRY(call) do { u64 error_ = (call); if (error_) return error_; } while (0)

struct slice { const void *at; u64 len; };                   /* SolBytes, SolSignerSeed, SolSignerSeeds */
struct meta { const u8 *key; u8 is_writable, is_signer; };   /* SolAccountMeta */
struct account {                                             /* SolAccountInfo */
  const u8 *key;
  u64 *lamports;
  u64 len;
  u8 *data;
  const u8 *owner;
  u64 rent_epoch;
  u8 is_signer, is_writable, is_executable;
};
struct instruction { const u8 *program; const struct meta *metas; u64 n_metas; const u8 *data; u64 len; };
struct clock { u64 slot; i64 epoch_start; u64 epoch, leader_epoch; i64 unix_time; };
struct rent { u64 lamports_per_byte_year; u64 threshold_bits; u8 burn_percent; }; /* the threshold is a double */

extern u64 sol_sha256(const struct slice *, u64, u8 *);
extern u64 sol_get_clock_sysvar(struct clock *);
extern u64 sol_get_rent_sysvar(struct rent *);
extern u64 sol_try_find_program_address(const struct slice *, u64, const u8 *, u8 *, u8 *);
extern u64 sol_invoke_signed_c(const struct instruction *, const struct account *, u64, const struct slice *, u64);

#define MAX_ACCOUNTS 10
struct call { const u8 *program; const struct account *accounts; u64 n_accounts; const u8 *data; u64 len; };

static int is_same(const u8 *one, const u8 *other) {
  const u64 *a = (const u64 *)one, *b = (const u64 *)other;
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3];
}

/*
 * Copies byte by byte, since the target may have any alignment. The target is volatile, since memcpy is not available.
 */
static void copy(u8 *to, const void *from, u64 len) {
  for (u64 i = 0; i < len; i++) ((volatile u8 *)to)[i] = ((const u8 *)from)[i];
}

/* Parses the loader's serialisation. Returns false for more accounts than any instruction here accepts. */
OUT_OF_LINE int read_call(u8 *input, struct account *accounts, struct call *call) {
  u64 n = *(u64 *)input;
  if (n > MAX_ACCOUNTS) return 0;
  u8 *at = input + 8;
  for (u64 i = 0; i < n; i++) {
    struct account *it = &accounts[i];
    if (*at != 0xff) { /* the index of an earlier account */
      *it = accounts[*at];
      at += 8;
      continue;
    }
    it->is_signer = at[1]; it->is_writable = at[2]; it->is_executable = at[3];
    it->key = at + 8; it->owner = at + 40; it->lamports = (u64 *)(at + 72);
    it->len = *(u64 *)(at + 80); it->data = at + 88;
    at += 88 + ((it->len + 7) & ~7ULL) + 10240; /* the account may grow by 10,240 bytes */
    it->rent_epoch = *(u64 *)at;
    at += 8;
  }
  call->accounts = accounts; call->n_accounts = n;
  call->len = *(u64 *)at; call->data = at + 8;
  call->program = call->data + call->len;
  return 1;
}
