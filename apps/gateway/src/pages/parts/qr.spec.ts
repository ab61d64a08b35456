import { fitsQr, qrPng, qrSvg } from './qr';

const link = 'https://pay.example/checkout/0b3f6c1e-7c5e-4d41-9a55-3f0e2c1b4a6d';

it('qrPng draws an image that a phone can scan from a screen', async () => {
  const png = await qrPng(link);
  expect(png.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
  // Width and height in the header of the PNG.
  const size = [png.readUInt32BE(16), png.readUInt32BE(20)];
  expect(size[0]).toBe(size[1]);
  expect(size[0]).toBeGreaterThanOrEqual(300);
  expect(png.length).toBeLessThan(20_000);
});

it('qrSvg escapes the label of an inline code', async () => {
  const { text } = await qrSvg(link, 'Link"><script>to 1.5 USDC');
  expect(text).toMatch(/^<svg class="qr" role="img" aria-label="Link&quot;&gt;&lt;script&gt;to 1.5 USDC" /);
  expect(text).not.toContain('<script');
  // The content occurs only as dots.
  expect(text).not.toContain('checkout');
});

it('qrPng and qrSvg draw the longest accepted text', async () => {
  const longest = 'x'.repeat(400);
  expect([fitsQr(longest), fitsQr(`${longest}x`), fitsQr('é'.repeat(201))]).toEqual([true, false, false]);
  expect((await qrSvg(longest, 'Longest')).text.length).toBeGreaterThan(10_000);
});
