/** Variables that every process reads in addition to the settings of its app. */
export const everywhere =
  /^(TOLLBRIDGE_ENV|SANDBOX_EXPOSED|LOG_LEVEL|ALLOW_PLAINTEXT|NODE_OPTIONS|OTEL_[A-Z_]+)$/;
