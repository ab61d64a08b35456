/* The accounts of `pay`, in this order. An order in the native coin has only the first five. */
enum { PAYER, RECORD, MERCHANT, FEE_RECEIVER, SYSTEM, FROM, MERCHANT_TOKENS, FEE_TOKENS, MINT, TOKEN_PROGRAM };
#define NATIVE_ACCOUNTS 5
#define TOKEN_ACCOUNTS 10
