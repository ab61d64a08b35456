import { newKeyText } from '@tollbridge/api-keys';
import { authApi, sandboxApi } from '@tollbridge/contracts';
import { DomainError, walletPrincipal, type CallContext } from '@tollbridge/rpc';
import { verifyMessage } from 'ethers';
import { Admission } from '../auth/admission';
import { CachedSessions } from '../auth/cached-sessions';
import { SessionCookie } from '../auth/session-cookie';
import { suspectLookups } from '../auth/suspect-lookups';
import { readProxies } from '../client-address/client-address';
import type { GatewayConfig } from '../config';
import { FailedAttempts } from '../rate-limit/failed-attempts';
import { RateLimiter } from '../rate-limit/rate-limiter';
import { PageRenderer } from '../pages/parts/layout';
import { GatewayHarness } from '../testing/gateway-harness';
import { rendererFixture } from '../testing/renderer-fixture';
import { WebFiles } from '../web/web-files';
import { DashboardController } from './dashboard.controller';
import { dashboardRoutes, sessionPath } from './dashboard.routes';
import { DemoSignIn } from './demo-sign-in';
import { PreviewController } from './preview.controller';
import { SessionController } from './session.controller';

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
// The second development key of Anvil, which GET /sandbox publishes.
const privateKey = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
const token = newKeyText('test', 'session');
const sessionId = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
const expiresAt = '2026-11-27T12:00:00.000Z';
const dashboard = { 'x-tollbridge-dashboard': '1' };
const signedIn = { ...dashboard, cookie: `tollbridge_session=${token}` };
const proof = JSON.stringify({ wallet, nonce: '6a'.repeat(32), message: 'm', signature: '0xa1' });

let harness: GatewayHarness;
let called: [operation: unknown, input: any, principal: string][];
let known: DomainError | undefined;
let verified: DomainError | undefined;

async function open(config: Partial<GatewayConfig> = {}): Promise<void> {
  called = [];
  known = verified = undefined;
  const { createChallenge, verifyChallenge, listSessions } = authApi.operations;
  const answers = new Map<unknown, () => unknown>([
    [createChallenge, () => ({ nonce: 'nonce-1', message: 'Sign in.' })],
    [verifyChallenge, () => verified ?? { token, wallet, sessionId, expiresAt }],
    [listSessions, () => ({ sessions: [{ id: sessionId, expiresAt }] })],
    [
      sandboxApi.operations.describe,
      () => ({ accounts: [{ role: 'merchant', address: wallet, privateKey }] }),
    ],
  ]);
  const call = async (operation: unknown, input: unknown, context: CallContext) => {
    called.push([operation, input, context.principal]);
    const answer = answers.get(operation)?.() ?? { ok: true };
    if (answer instanceof DomainError) throw answer;
    return answer;
  };
  const publicUrl = config.GATEWAY_PUBLIC_URL ?? 'http://127.0.0.1:3000';
  const environment = config.environment ?? 'sandbox';
  const sessionCookie = new SessionCookie(publicUrl);
  const authenticate = async () => {
    if (known) throw known;
    return { sessionId, wallet };
  };
  const sessions = new CachedSessions({ call: authenticate as never }, 'test');
  const files = {
    entry: () => ({ file: '/assets/d-1.js', imports: ['/assets/r-1.js'], styles: ['/assets/d-1.css'] }),
  };
  harness = await GatewayHarness.open({
    config: { GATEWAY_PUBLIC_URL: publicUrl, environment },
    controllers: [SessionController, PreviewController, DashboardController],
    providers: [
      DemoSignIn,
      { provide: SessionCookie, useValue: sessionCookie },
      { provide: CachedSessions, useValue: sessions },
      { provide: WebFiles, useValue: files },
      { provide: PageRenderer, useValue: rendererFixture() },
    ],
    routes: dashboardRoutes.filter(
      ({ declaration }) => environment === 'sandbox' || !declaration.isSandboxOnly,
    ),
    call,
  });
  const counts = {
    take: async () => ({ isAllowed: true, remaining: 99, waitMs: 0, untilFullMs: 600 }),
    fail: async () => ({ isOver: false, untilMs: 1 }),
  };
  const admission = new Admission({
    keys: { find: () => Promise.reject(new DomainError('UNAUTHORIZED')) },
    sessions,
    sessionCookie,
    limiter: new RateLimiter(counts),
    failedKeys: new FailedAttempts(counts, 'keys'),
    failedProofs: new FailedAttempts(counts, 'proofs'),
    suspectLookup: suspectLookups(),
    environment,
    onUnproven: () => undefined,
    addressRate: { perMinute: 1_000, burst: 2_000 },
    proxies: readProxies('')!,
  });
  harness.admit = (...request) => admission.admit(...request);
}

beforeEach(() => open());
afterEach(async () => {
  expect(JSON.stringify(harness.logged)).not.toContain(token);
  await harness.close();
});

const signIn = (headers: Record<string, string> = dashboard) =>
  harness.send('POST', sessionPath, { body: proof, headers });
const outcomeOf = (reply: { statusCode: number; body: string }) => {
  expect(reply.body).not.toContain(token);
  const { code, details } = JSON.parse(reply.body) as { code?: string; details?: { reason?: string } };
  return [reply.statusCode, details?.reason ?? code];
};

describe('POST /dashboard/session', () => {
  it('sets the token as a cookie that no script can read, and returns the wallet', async () => {
    const reply = await signIn();
    expect(reply.json()).toEqual({ wallet, expiresAt });
    expect(reply.headers['set-cookie']).toBe(
      `tollbridge_session=${token}; Path=/; HttpOnly; SameSite=Strict; Expires=Fri, 27 Nov 2026 12:00:00 GMT`,
    );
    expect(called).toEqual([[authApi.operations.verifyChallenge, JSON.parse(proof), 'public']]);
  });

  it('sets a host-bound cookie over https', async () => {
    await harness.close();
    await open({ GATEWAY_PUBLIC_URL: 'https://api.example.com' });
    expect((await signIn()).headers['set-cookie']).toMatch(/^__Host-tollbridge_session=.*; Secure; /);
  });

  it('sets no cookie for a proof that the merchant app rejects', async () => {
    verified = new DomainError('UNAUTHORIZED', 'No.', { details: { reason: 'wrong_signature' } });
    const reply = await signIn();
    expect([outcomeOf(reply), reply.headers['set-cookie']]).toEqual([[401, 'wrong_signature'], undefined]);
  });

  it('rejects a form of another site and a request without the header', async () => {
    for (const path of [sessionPath, `${sessionPath}/demo`]) {
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      const sent = await harness.send('POST', path, { body: 'wallet=x', headers: form });
      expect(outcomeOf(sent)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
      const plain = { body: proof, headers: { 'content-type': 'text/plain' } };
      expect(outcomeOf(await harness.send('POST', path, plain))).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
      const bare = await harness.send('POST', path, { body: proof });
      expect(outcomeOf(bare)).toEqual([403, 'dashboard_header_missing']);
    }
    expect(called).toEqual([]);
  });

  it('accepts a new sign-in even if the request has a revoked cookie', async () => {
    known = new DomainError('UNAUTHORIZED', 'No.', { details: { reason: 'session_revoked' } });
    expect((await signIn(signedIn)).statusCode).toBe(200);
  });
});

describe('POST /dashboard/session/demo', () => {
  it('signs in as the demo merchant of the sandbox', async () => {
    const reply = await harness.send('POST', `${sessionPath}/demo`, { headers: dashboard });
    expect(reply.json()).toEqual({ wallet, expiresAt });
    expect(reply.headers['set-cookie']).toContain(token);
    const { signature, message } = called.at(-1)![1] as { signature: string; message: string };
    expect(verifyMessage(message, signature)).toBe(wallet);
  });

  it.each(['test', 'production'] as const)('does not exist in %s', async (environment) => {
    await harness.close();
    await open({ environment });
    const reply = await harness.send('POST', `${sessionPath}/demo`, { headers: dashboard });
    expect([reply.statusCode, called]).toEqual([405, []]);
  });
});

describe('a cookie', () => {
  const own = (headers: Record<string, string>) => harness.send('GET', '/samples/own', { headers });

  it('authenticates the wallet of its session without a wallet header', async () => {
    expect((await own(signedIn)).statusCode).toBe(200);
    expect((await own({ ...signedIn, 'x-wallet': wallet })).statusCode).toBe(200);
    const principals = harness.calls.map(({ context }) => context.principal);
    expect(principals).toEqual([walletPrincipal(wallet), walletPrincipal(wallet)]);
  });

  it.each([
    ['without the header', { cookie: signedIn.cookie }, 'wallet_missing'],
    ['from a page of another site', { ...signedIn, 'sec-fetch-site': 'cross-site' }, 'wallet_missing'],
    [
      'together with another wallet',
      { ...signedIn, 'x-wallet': '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' },
      'wallet_mismatch',
    ],
    [
      'with a wrong checksum',
      { ...dashboard, cookie: `tollbridge_session=${token.slice(0, -1)}_` },
      'malformed',
    ],
    [
      'with an invented token',
      { ...dashboard, cookie: `tollbridge_session=tb_test_ws_${'a'.repeat(39)}` },
      'malformed',
    ],
    [
      'from production',
      { ...dashboard, cookie: `tollbridge_session=${newKeyText('live', 'session')}` },
      'foreign_environment',
    ],
    ['that is sent twice', { ...dashboard, cookie: `${signedIn.cookie}; ${signedIn.cookie}` }, 'malformed'],
    ['of 8 KB', { ...dashboard, cookie: `tollbridge_session=tb_test_ws_${'a'.repeat(8_000)}` }, 'malformed'],
  ])('rejects a cookie %s', async (_title, headers, reason) => {
    expect(outcomeOf(await own(headers as Record<string, string>))).toEqual([401, reason]);
    expect(harness.calls).toEqual([]);
  });

  it('rejects a cookie after its session is revoked', async () => {
    known = new DomainError('UNAUTHORIZED', 'No.', { details: { reason: 'session_revoked' } });
    expect(outcomeOf(await own(signedIn))).toEqual([401, 'session_revoked']);
    expect(outcomeOf(await harness.send('GET', sessionPath, { headers: signedIn }))).toEqual([
      401,
      'session_revoked',
    ]);
  });

  it('ignores the cookie of a request with a bearer token', async () => {
    const reply = await own({ ...signedIn, authorization: 'Bearer tb_test_sk_wrong' });
    expect(reply.statusCode).toBe(401);
    expect(outcomeOf(await own({ ...signedIn, authorization: `Bearer ${token}` }))).toEqual([
      401,
      'wallet_missing',
    ]);
  });

  it('permits no cookies for other origins in a preflight', async () => {
    const asked = {
      origin: 'https://evil.example',
      'access-control-request-headers': 'x-tollbridge-dashboard',
    };
    const { headers } = await harness.send('OPTIONS', '/samples/own', { headers: asked });
    expect([headers['access-control-allow-origin'], headers['access-control-allow-credentials']]).toEqual([
      '*',
      undefined,
    ]);
  });
});

describe('GET /dashboard/session', () => {
  it('returns the signed-in wallet', async () => {
    const reply = await harness.send('GET', sessionPath, { headers: signedIn });
    expect(reply.json()).toEqual({ wallet, expiresAt });
    expect(reply.body).not.toContain(token);
  });

  it('returns 401 without the cookie, even for a wallet that the sandbox authenticates by its header', async () => {
    expect(outcomeOf(await harness.send('GET', sessionPath))).toEqual([401, 'wallet_missing']);
    const named = await harness.send('GET', sessionPath, { headers: { 'x-wallet': wallet } });
    expect(outcomeOf(named)).toEqual([401, 'missing']);
  });
});

describe('DELETE /dashboard/session', () => {
  it('revokes the session and deletes the cookie', async () => {
    const reply = await harness.send('DELETE', sessionPath, { headers: signedIn });
    expect(reply.headers['set-cookie']).toMatch(/^tollbridge_session=; .*Max-Age=0$/);
    expect(called).toEqual([[authApi.operations.revokeSession, { id: sessionId }, walletPrincipal(wallet)]]);
    // The next request must look up the session.
    known = new DomainError('UNAUTHORIZED', 'No.', { details: { reason: 'session_revoked' } });
    expect((await harness.send('GET', '/samples/own', { headers: signedIn })).statusCode).toBe(401);
  });

  it('revokes nothing without the header of the dashboard', async () => {
    const reply = await harness.send('DELETE', sessionPath, { headers: { cookie: signedIn.cookie } });
    expect([reply.statusCode, called]).toEqual([401, []]);
  });
});

describe('GET /dashboard/preview', () => {
  const inFrame = {
    cookie: `tollbridge_session=${token}`,
    'sec-fetch-site': 'same-origin',
    'sec-fetch-dest': 'iframe',
  };
  const preview = (query = '', headers: Record<string, string> = inFrame) =>
    harness.send('GET', `/dashboard/preview${query}`, { headers });

  it('shows the checkout with the unsaved values as text', async () => {
    const name = '<script>alert(1)</script> \u202Etea';
    const values = new URLSearchParams({ storeName: name, token: 'DAI', chain: 'ethereum', receiver: '0xA' });
    const reply = await preview(`?${values}`);
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(reply.body).toContain('12.50 DAI');
    expect(reply.body).toMatch(/on (<bdi>)?Ethereum/);
    expect(reply.body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(reply.body).not.toContain('<script');
    expect(harness.calls).toEqual([]);
  });

  it('shows defaults for missing, unknown and repeated values', async () => {
    for (const query of ['', '?chain=nowhere&token=NOPE&storeColor=red', '?storeName=a&storeName=b']) {
      const reply = await preview(query);
      expect([query, reply.statusCode]).toEqual([query, 200]);
      expect(reply.body).toContain('12.50 USDC');
      expect(reply.body).toContain('0x7099…79C8');
    }
  });

  it('contains an empty image for a logo, which the dashboard fills', async () => {
    expect((await preview()).body).not.toContain('class="logo"');
    const { body, headers } = await preview('?logo=shown');
    expect(body).toMatch(/<img class="logo" src="data:image\/gif;base64,[\w+/=]+" alt="" \/>/);
    expect(String(headers['content-security-policy']).split('; ')).toContain("img-src 'self' data:");
  });

  it('allows framing by the dashboard only, and no scripts or forms', async () => {
    const { headers } = await preview();
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toEqual(expect.arrayContaining(["frame-ancestors 'self'", "form-action 'none'"]));
    expect(
      policy.filter((directive) => /^(frame-ancestors|form-action|script-src)/.test(directive)),
    ).toHaveLength(2);
    expect(headers['x-frame-options']).toBe('SAMEORIGIN');
  });

  it.each([
    ['without the cookie', { ...inFrame, cookie: '' }, 'missing'],
    ['in a frame of another site', { ...inFrame, 'sec-fetch-site': 'cross-site' }, 'missing'],
    ['in a frame of a sibling host', { ...inFrame, 'sec-fetch-site': 'same-site' }, 'missing'],
    ['as a top-level page', { ...inFrame, 'sec-fetch-dest': 'document' }, 'missing'],
    ['without a header about its origin', { cookie: inFrame.cookie }, 'missing'],
    ['with an invented token', { ...inFrame, cookie: 'tollbridge_session=tb_test_ws_x' }, 'malformed'],
  ])('returns 401 %s', async (_title, headers, reason) => {
    expect(outcomeOf(await preview('', headers))).toEqual([401, reason]);
  });

  it('returns 401 after the session is revoked', async () => {
    known = new DomainError('UNAUTHORIZED', 'No.', { details: { reason: 'session_revoked' } });
    expect(outcomeOf(await preview())).toEqual([401, 'session_revoked']);
  });
});

describe('GET /dashboard', () => {
  it('returns the same page for every path, without an inline script', async () => {
    const page = await harness.send('GET', '/dashboard');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.body).toContain('<script type="module" src="/assets/d-1.js"></script>');
    expect(page.body).toContain('<link rel="modulepreload" href="/assets/r-1.js">');
    expect(page.body).not.toMatch(/<script(?![^>]* src=)|style=|<style| on\w+=/);
    for (const path of ['/dashboard/transactions', '/dashboard/paylinks/new'])
      expect((await harness.send('GET', path)).body).toBe(page.body);
  });

  it('allows scripts, styles, images and requests of its own origin only, and no framing', async () => {
    const { headers } = await harness.send('GET', '/dashboard');
    expect(String(headers['content-security-policy']).split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "frame-src 'self'",
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(headers['x-frame-options']).toBe('DENY');
  });

  it('returns the QR code of a PayLink, but no QR code of another text', async () => {
    const code = await harness.send('GET', `/dashboard/qr/${sessionId}`);
    expect([code.statusCode, code.headers['content-type']]).toEqual([200, 'image/png']);
    expect((await harness.send('GET', '/dashboard/qr/https:evil')).statusCode).toBe(404);
  });
});
