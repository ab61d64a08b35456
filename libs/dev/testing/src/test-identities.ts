import { join } from 'node:path';

/** Identity secret of an app in tests outside the sandbox. Development secrets are rejected there. */
export const testIdentitySecret = (app: string): string => `identity-of-${app}-in-tests-0123456789abcdef`;

/** Settings of these apps' identities. The file contains the public keys of all apps. */
export function testIdentities(...apps: string[]): Record<string, string> {
  const secrets = apps.map((app) => [
    `${app.toUpperCase().replaceAll('-', '_')}_IDENTITY_SECRET`,
    testIdentitySecret(app),
  ]);
  return {
    SERVICE_IDENTITIES_FILE: join(__dirname, 'test-identities.json'),
    ...Object.fromEntries(secrets),
  };
}
