import { html, trustedHtml, walletLink, webLink } from './html';

describe('html', () => {
  it('escapes values in text and in attributes', () => {
    const hostile = `"><script>alert('1')</script>&lt;\``;
    expect(html`<p title="${hostile}">${hostile}</p>`.text).toBe(
      '<p title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;lt;&#96;">' +
        '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;lt;&#96;</p>',
    );
  });

  it('inserts templates and lists of templates unchanged, and nothing for absent values', () => {
    const items = ['a<', 'b'].map((name) => html`<li>${name}</li>`);
    expect(html`${items}`.text).toBe('<li>a&lt;</li><li>b</li>');
    expect(html`${null}${undefined}${false}${0}`.text).toBe('0');
    expect(html`${trustedHtml('<br>')}`.text).toBe('<br>');
  });

  it('escapes the texts of a list too', () => {
    expect(html`${['<', '>']}`.text).toBe('&lt;&gt;');
  });

  it('escapes an object that looks like markup', () => {
    const forged = JSON.parse('{"text":"<script>"}') as string;
    expect(html`${forged}`.text).not.toContain('<script>');
  });
});

describe('webLink', () => {
  it.each(['https://shop.example/thanks?a=1&b=2', 'http://127.0.0.1:8080/'])('accepts %s', (url) => {
    expect(webLink(url)).toBe(url);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    'file:///etc/passwd',
    '//evil.example',
    '/path',
    'shop',
    'https://user:secret@shop.example/',
    '',
    null,
    undefined,
  ])('rejects %j', (text) => {
    expect(webLink(text)).toBeNull();
  });
});

describe('walletLink', () => {
  it.each(['ethereum:0xA0b8@1/transfer?address=0x1&uint256=1', 'bitcoin:bc1q?amount=0.1'])(
    'accepts %s',
    (uri) => {
      expect(walletLink(uri)).toBe(uri);
    },
  );

  it.each(['javascript:alert(1)', 'https://shop.example/', 'data:x', 'etherium:0x', '', null])(
    'rejects %j',
    (uri) => {
      expect(walletLink(uri)).toBeNull();
    },
  );
});
