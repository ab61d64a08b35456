import { DomainError, type Operation } from '@tollbridge/rpc';
import type { AdmissionRule } from '../../routes/admission-rule';
import { declareLike, type OwnRoute } from '../../routes/gateway-route';
import { createHash } from 'node:crypto';
import { GatewayHarness } from '../../testing/gateway-harness';
import { samplesApi } from '../../testing/sample.api';
import { html } from '../parts/html';
import { rendererFixture } from '../../testing/renderer-fixture';
import { PageRenderer } from '../parts/layout';
import { formFields, type PageHandler } from './page-handler';
import { PageHandlers, PageRoutes } from './page-routes';

const operation = samplesApi.operations.readSample as Operation<any, any>;
const pageOf = (like: Operation<any, any>, method: 'GET' | 'POST'): OwnRoute => ({
  kind: 'own',
  isAdmitted: true,
  declaration: declareLike(like, `${method} page`, { method, path: '/samples/{id}/page' }),
});
const renderer = rendererFixture();
let harness: GatewayHarness;
let act: () => void = () => undefined;
const pages: PageHandler[] = [
  {
    route: pageOf(operation, 'GET'),
    async handle(request, reply) {
      act();
      const { id } = request.params as { id: string };
      return renderer.send(reply, 200, { title: id, body: html`<p>${id}</p>`, refreshSeconds: 5 });
    },
  },
  {
    route: pageOf(operation, 'POST'),
    async handle(request, reply) {
      const colour = formFields(request, ['colour']).get('colour');
      return renderer.send(reply, 200, { title: 'Sent', body: html`${colour}`, color: '#1d4fc4' });
    },
  },
];

beforeAll(async () => {
  harness = await GatewayHarness.open({
    providers: [
      { provide: PageHandlers, useValue: pages },
      { provide: PageRenderer, useValue: renderer },
      PageRoutes,
    ],
    routes: pages.map(({ route }) => route),
  });
});
afterAll(() => harness.close());
beforeEach(() => {
  act = () => undefined;
  harness.admit = () => undefined;
});

const post = (body: string, type = 'application/x-www-form-urlencoded') =>
  harness.server.inject({ method: 'POST', url: '/samples/1/page', headers: { 'content-type': type }, body });

describe('a page', () => {
  it('sends a policy that allows no script, no frame and no other style', async () => {
    const reply = await harness.send('GET', '/samples/%3Cb%3E/page');
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(reply.body).toContain('<title>&lt;b&gt;</title>');
    expect(reply.body).toContain('<meta http-equiv="refresh" content="5" />');
    const own = /<style>([^]*)<\/style>/.exec(reply.body)![1]!;
    const hash = createHash('sha256').update(own).digest('base64');
    expect(reply.headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect(reply.headers).toMatchObject({ 'x-frame-options': 'DENY', 'cache-control': 'no-store' });
    // The policy would block scripts and styles in attributes.
    expect(reply.body).not.toMatch(/<script|\son\w+=|\sstyle=/);
  });

  it('shows the colour of a shop with a second style, which the policy allows by its hash', async () => {
    const reply = await post('colour=blue');
    const [, own] = [...reply.body.matchAll(/<style>([^]*?)<\/style>/g)].map(([, style]) => style!);
    expect(own).toContain('--button:#1d4fc4');
    const hash = createHash('sha256').update(own!).digest('base64');
    expect(reply.headers['content-security-policy']).toMatch(
      new RegExp(`style-src 'sha256-[^']+' 'sha256-${hash.replace(/[+]/g, '[+]')}';`),
    );
    expect(reply.body).not.toMatch(/\sstyle=/);
  });

  it.each([
    [new DomainError('NOT_FOUND', 'There is no <sample>.'), 404, 'There is no &lt;sample&gt;.'],
    [new DomainError('CONFLICT'), 409, 'This is no longer possible'],
    [new DomainError('OUTCOME_UNKNOWN'), 504, 'Timed out'],
    [new Error('secret'), 500, 'Something went wrong'],
  ])('shows a failure as a page: %s', async (thrown, status, text) => {
    act = () => {
      throw thrown;
    };
    const reply = await harness.send('GET', '/samples/1/page');
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
    expect(reply.body).toContain(text);
    expect(reply.body).not.toContain('secret');
    expect(reply.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  it.each([
    [new DomainError('SERVICE_UNAVAILABLE'), 503, '1'],
    [new DomainError('RATE_LIMIT_EXCEEDED', undefined, { retryAfterSeconds: 7 }), 429, '7'],
  ])('sends Retry-After: %s', async (thrown, status, retryAfter) => {
    harness.admit = async () => {
      throw thrown;
    };
    const reply = await harness.send('GET', '/samples/1/page');
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([status, retryAfter]);
    expect(reply.body).toMatch(/^<!doctype html>/);
  });

  it('admits requests by the rule of its operation', async () => {
    const rules: AdmissionRule[] = [];
    harness.admit = (rule) => void rules.push(rule);
    await harness.send('GET', '/samples/1/page');
    const { subject, auth, isCostly } = operation;
    expect(rules).toMatchObject([{ subject, auth, isCostly }]);
  });

  it('returns 405 for another method', async () => {
    const reply = await harness.send('DELETE', '/samples/1/page');
    expect([reply.statusCode, reply.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS, POST']);
  });
});

describe('a form', () => {
  it('decodes the form, and escapes its values', async () => {
    expect((await post('colour=%3Cscript%3E+%26+%C3%A9')).body).toContain('&lt;script&gt; &amp; é');
  });

  it.each(['colour=1&colour=2', 'color=1', '__proto__=1', 'colour=1&x'])(
    'rejects the form %s',
    async (body) => {
      expect((await post(body)).statusCode).toBe(400);
    },
  );

  it('rejects a form that is too long or has another type', async () => {
    expect((await post(`colour=${'x'.repeat(9_000)}`)).statusCode).toBe(413);
    expect((await post('{"colour":"blue"}', 'application/json')).statusCode).toBe(415);
  });

  it('returns 415 on the route of an operation', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const reply = await harness.server.inject({ method: 'PUT', url: '/samples/1', headers, body: 'name=x' });
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([
      415,
      'application/json; charset=utf-8',
    ]);
  });
});
