/** Shows a link to a wallet: as a QR code for another device, and as a link for this device. */
export async function showLink(link: string): Promise<void> {
  const place = document.querySelector<HTMLElement>('#wallet-link');
  if (!place) return;
  const { create } = await import('qrcode');
  // Created in the browser, because the link contains the key of the session, which no server may get.
  place.querySelector('.code')!.replaceChildren(drawn(create(link, { errorCorrectionLevel: 'L' }).modules));
  place.querySelector('a')!.setAttribute('href', link);
  place.hidden = false;
}

export function hideLink(): void {
  const place = document.querySelector<HTMLElement>('#wallet-link');
  if (!place) return;
  place.hidden = true;
  place.querySelector('.code')!.replaceChildren();
  place.querySelector('a')!.removeAttribute('href');
}

interface Modules {
  size: number;
  get(row: number, column: number): number;
}

const quietZone = 4;

/** Black on white in every colour scheme, because many scanners require that. */
function drawn(modules: Modules): SVGElement {
  const svg = element('svg', { class: 'qr', 'aria-hidden': 'true' });
  const size = modules.size + 2 * quietZone;
  svg.setAttribute('viewBox', `0 0 ${size} ${size}`);
  let path = '';
  for (let row = 0; row < modules.size; row++)
    for (let column = 0; column < modules.size; column++)
      if (modules.get(row, column)) path += `M${column + quietZone} ${row + quietZone}h1v1h-1z`;
  svg.append(
    element('path', { fill: '#fff', d: `M0 0h${size}v${size}H0z` }),
    element('path', { fill: '#000', d: path }),
  );
  return svg;
}

function element(name: string, attributes: Record<string, string>): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
