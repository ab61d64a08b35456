/** Countries of the sms-activate protocol under the names of this provider. */
export const countryNames: ReadonlyMap<number, string> = new Map([
  ...([
    [0, 'russia'],
    [1, 'ukraine'],
    [2, 'kazakhstan'],
    [4, 'philippines'],
    [6, 'indonesia'],
  ] as const),
  ...([
    [7, 'malaysia'],
    [8, 'kenya'],
    [10, 'vietnam'],
    [13, 'israel'],
    [15, 'poland'],
  ] as const),
  ...([
    [16, 'england'],
    [19, 'nigeria'],
    [21, 'egypt'],
    [22, 'india'],
    [31, 'southafrica'],
  ] as const),
  ...([
    [32, 'romania'],
    [33, 'colombia'],
    [34, 'estonia'],
    [36, 'canada'],
    [43, 'germany'],
  ] as const),
  ...([
    [46, 'sweden'],
    [48, 'netherlands'],
    [49, 'latvia'],
    [52, 'thailand'],
    [54, 'mexico'],
  ] as const),
  ...([
    [56, 'spain'],
    [62, 'turkey'],
    [73, 'brazil'],
    [78, 'france'],
    [86, 'italy'],
    [187, 'usa'],
  ] as const),
]);

/** Services of the sms-activate protocol under the names of this provider. */
export const productNames: ReadonlyMap<string, string> = new Map([
  ...([
    ['tg', 'telegram'],
    ['wa', 'whatsapp'],
    ['go', 'google'],
    ['fb', 'facebook'],
  ] as const),
  ...([
    ['ig', 'instagram'],
    ['tw', 'twitter'],
    ['vi', 'viber'],
    ['ds', 'discord'],
  ] as const),
  ...([
    ['am', 'amazon'],
    ['mm', 'microsoft'],
    ['ub', 'uber'],
    ['lf', 'tiktok'],
    ['ot', 'other'],
  ] as const),
]);
