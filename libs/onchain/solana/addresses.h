/* System program, 11111111111111111111111111111111. It also represents the native coin and "no fee receiver". */
static const u8 SYSTEM_PROGRAM[32] ALIGNED = { 0 };
/* TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA */
static const u8 SPL_TOKEN[32] ALIGNED = {
  6, 221, 246, 225, 215, 101, 161, 147, 217, 203, 225, 70, 206, 235, 121, 172,
  28, 180, 133, 237, 95, 91, 55, 145, 58, 140, 245, 133, 126, 255, 0, 169 };
/* TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb */
static const u8 TOKEN_2022[32] ALIGNED = {
  6, 221, 246, 225, 238, 117, 143, 222, 24, 66, 93, 188, 228, 108, 205, 218,
  182, 26, 252, 77, 131, 185, 13, 39, 254, 189, 249, 40, 216, 161, 139, 252 };
/* ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL */
static const u8 ASSOCIATED_TOKEN[32] ALIGNED = {
  140, 151, 37, 143, 78, 36, 137, 241, 187, 61, 16, 41, 20, 142, 13, 131,
  11, 90, 19, 153, 218, 255, 16, 132, 4, 142, 123, 216, 219, 233, 248, 89 };
/* 1nc1nerator11111111111111111111111111111111: the runtime burns its balance at the end of the block. */
static const u8 INCINERATOR[32] ALIGNED = {
  0, 51, 144, 114, 141, 52, 17, 96, 121, 189, 201, 17, 191, 255, 0, 219,
  212, 77, 46, 205, 204, 247, 156, 166, 225, 0, 56, 225 };
