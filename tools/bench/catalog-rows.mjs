// The catalog with 10,000 services: a search for words that a few services have, and for a word that all have.
const services = 10_000;

const fill = `
  WITH words AS (
    SELECT '{instant,global,prepaid,virtual,secure,bulk,local,premium,express,shared}'::text[] AS kinds,
      '{gift,card,airtime,voucher,bill,email,inbox,sms,number,payout,invoice,ticket,ride,hotel,parcel,storage,proxy,domain,hosting,translation}'::text[] AS things,
      '{coffee,books,games,music,travel,fuel,groceries,fashion,sports,pharmacy,garden,cinema,pets,toys,tools}'::text[] AS brands
  ), made AS (
    SELECT n, kinds[1 + n % 10] || ' ' || things[1 + n / 10 % 20] || ' ' || brands[1 + n / 200 % 15] || ' ' || n AS name,
      things[1 + n / 10 % 20] AS category, brands[1 + n / 200 % 15] AS brand
    FROM words, generate_series(1, $1) n
  )
  INSERT INTO service_api.catalog_services (id, place, category, name, keywords, description, listed)
  SELECT 'bench-' || n, 1000 + n, category, name, brand, text, json_build_object('id', 'bench-' || n, 'name', name,
    'category', category, 'description', text, 'price', json_build_object('model', 'free', 'description', 'Costs nothing.'),
    'routes', json_build_array(json_build_object('method', 'GET', 'route', '/bench', 'request', json_build_object())),
    'keywords', json_build_array(brand), 'provider', 'chains')
  FROM made, LATERAL (SELECT 'A service of ' || brand || ' that is delivered at once, wherever you are.' AS text) described
  ON CONFLICT DO NOTHING`;

/** @param parts `admin`, a superuser of the database */
export function catalogRows(gateway, { admin, measureHttp, send }) {
  let filled;
  const row = (name, query) => ({
    name,
    of: 'raw Fastify GET',
    levels: [1, 16],
    run: async (inFlight, seconds) => {
      await (filled ??= prepare(gateway, { admin, send }));
      const request = { path: `/catalog/search?q=${encodeURIComponent(query)}` };
      return measureHttp(gateway, () => request, inFlight, seconds);
    },
  });
  return [
    row('catalog search of 10,000, few found', 'prepaid gift coffee'),
    row('catalog search of 10,000, all found', 'delivered'),
  ];
}

async function prepare(gateway, { admin, send }) {
  await admin.query(fill, [services]);
  await admin.query('VACUUM ANALYZE service_api.catalog_services');
  const count = async (query) =>
    JSON.parse(await send(gateway, { path: `/catalog/search?q=${encodeURIComponent(query)}` })).count;
  const found = [await count('prepaid gift coffee'), await count('delivered')];
  if (found[0] === 0 || found[1] !== 50) throw new Error(`the catalog finds ${found} services`);
}
