import { DomainError, type Operation } from '@tollbridge/rpc';
import { createHash } from 'node:crypto';
import { SampleFront } from '../testing/sample-front';
import { samplesApi } from '../testing/sample.api';
import { html } from './html';
import { sendPage } from './layout';
import { addPageRoutes, formFields } from './page-routes';

const operation = samplesApi.operations.readSample as Operation<any, any>;
const front = new SampleFront();
let act: () => void = () => undefined;
addPageRoutes(
  front.server,
  [
    {
      ...{ method: 'GET', url: '/samples/:id/page', operation },
      async answer(request, reply) {
        act();
        const { id } = request.params as { id: string };
        return sendPage(reply, 200, { title: id, body: html`<p>${id}</p>`, refreshSeconds: 5 });
      },
    },
    {
      ...{ method: 'POST', url: '/samples/:id/page', operation },
      async answer(request, reply) {
        const colour = formFields(request, ['colour']).get('colour');
        return sendPage(reply, 200, { title: 'Sent', body: html`${colour}`, showsForeignPictures: true });
      },
    },
  ],
  { admit: (...given) => front.admit(...given), logger: front.logger },
);
afterAll(() => front.server.close());
beforeEach(() => {
  act = () => undefined;
  front.admit = () => undefined;
});

const post = (body: string, type = 'application/x-www-form-urlencoded') =>
  front.server.inject({ method: 'POST', url: '/samples/1/page', headers: { 'content-type': type }, body });

describe('a page', () => {
  it('is shown with a policy that allows no script, no frame and no style but its own', async () => {
    const reply = await front.send('GET', '/samples/%3Cb%3E/page');
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(reply.body).toContain('<title>&lt;b&gt;</title>');
    expect(reply.body).toContain('<meta http-equiv="refresh" content="5" />');
    const own = /<style>([^]*)<\/style>/.exec(reply.body)![1]!;
    const hash = createHash('sha256').update(own).digest('base64');
    expect(reply.headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect(reply.headers).toMatchObject({ 'x-frame-options': 'DENY', 'cache-control': 'no-store' });
    // Neither a script nor a style in an attribute would run.
    expect(reply.body).not.toMatch(/<script|\son\w+=|\sstyle=/);
  });

  it('shows pictures of other sites by https, where it says so', async () => {
    const reply = await post('colour=blue');
    expect(reply.headers['content-security-policy']).toContain("img-src 'self' https:;");
  });

  it.each([
    [new DomainError('NOT_FOUND', 'There is no <sample>.'), 404, 'There is no &lt;sample&gt;.'],
    [new DomainError('CONFLICT'), 409, 'This is no longer possible'],
    [new DomainError('OUTCOME_UNKNOWN'), 504, 'No answer came in time'],
    [new Error('secret'), 500, 'Something went wrong'],
  ])('is shown for a failure too: %s', async (thrown, status, text) => {
    act = () => {
      throw thrown;
    };
    const reply = await front.send('GET', '/samples/1/page');
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
    expect(reply.body).toContain(text);
    expect(reply.body).not.toContain('secret');
    expect(reply.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  it.each([
    [new DomainError('SERVICE_UNAVAILABLE'), 503, '1'],
    [new DomainError('RATE_LIMIT_EXCEEDED', undefined, { retryAfterSeconds: 7 }), 429, '7'],
  ])('says when to come back: %s', async (thrown, status, retryAfter) => {
    front.admit = async () => {
      throw thrown;
    };
    const reply = await front.send('GET', '/samples/1/page');
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([status, retryAfter]);
    expect(reply.body).toMatch(/^<!doctype html>/);
  });

  it('asks who may open it under the operation that it stands for', async () => {
    const asked: Operation[] = [];
    front.admit = (given) => void asked.push(given);
    await front.send('GET', '/samples/1/page');
    expect(asked).toEqual([operation]);
  });

  it('of a wrong method is refused as everywhere', async () => {
    const reply = await front.send('DELETE', '/samples/1/page');
    expect([reply.statusCode, reply.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS, POST']);
  });
});

describe('a form', () => {
  it('is read, whatever it holds', async () => {
    expect((await post('colour=%3Cscript%3E+%26+%C3%A9')).body).toContain('&lt;script&gt; &amp; é');
  });

  it.each(['colour=1&colour=2', 'color=1', '__proto__=1', 'colour=1&x'])('is refused as %s', async (body) => {
    expect((await post(body)).statusCode).toBe(400);
  });

  it('is refused when it is too long, and what is no form', async () => {
    expect((await post(`colour=${'x'.repeat(9_000)}`)).statusCode).toBe(413);
    expect((await post('{"colour":"blue"}', 'application/json')).statusCode).toBe(415);
  });

  it('is not taken by the operations', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const reply = await front.server.inject({ method: 'PUT', url: '/samples/1', headers, body: 'name=x' });
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([
      415,
      'application/json; charset=utf-8',
    ]);
  });
});
