import { processorMsOf } from '@tollbridge/testing';
import { extractCode, extractMailCode } from './extract-code';

/** Messages and their codes, by language. */
const messages: Record<string, readonly [message: string, code: string | null][]> = {
  English: [
    ['Your verification code is 482913', '482913'],
    ['482913 is your Facebook code', '482913'],
    ['G-482913 is your Google verification code.', '482913'],
    ['Your WhatsApp code: 482-913\nDon’t share this code with others', '482913'],
    ['Your Uber code is 4821. Never share this code.', '4821'],
    ['Use 771204 to verify your account. It expires in 10 minutes.', '771204'],
    ['To sign in to your account, enter 482913. Your code expires in 15 minutes.', '482913'],
    ['[TikTok] 5521 is your verification code, valid for 5 minutes.', '5521'],
    [
      'Enter this code to confirm your e-mail:\n\n  19 28 37  \n\nIf this was not you, call +1 (555) 123-4567.',
      '192837',
    ],
    ['Your one-time password is 00718234.', '00718234'],
    ['Your OTP for the payment of $1250 to order 88213 is 6604', '6604'],
    ['Order 482913: your verification code is 7731', '7731'],
    ['Your Steam Guard code is R7K2F', 'R7K2F'],
    ['Login code: X7K-9QP. Do not give it to anyone.', 'X7K-9QP'],
    ['Your passcode is 2024', '2024'],
    ['<#> Your code is 908172\nFA+9qCX9VSu', '908172'],
    ['Your code is 338291\n\n@example.com #338291', '338291'],
    ['© 2026 Example Inc.\nYour security code: 66120', '66120'],
    ['Your PIN for order 55120 is 4821', '4821'],
    ['Confirm it is you\n\n603118\n\nThis was asked for on 2026-11-22 at 10:45.', '603118'],
    ['OTP-662017 is what you need to log in', '662017'],
    ['Code (482 913)', '482913'],
  ],
  'English, without a code': [
    ['Thanks for your order 482913! It ships on 11/22/2026.', null],
    ['Call us at +1 555 123 4567 or 0800-123-4567.', null],
    ['You have won 100000 points', null],
    ['Your invoice #20261122 over $4,821.50 is due in 2026.', null],
    ['Use promo code 482913 at the checkout', null],
    ['Your zip code is 94107', null],
    ['Welcome! Copyright 2026 Example, 1600 Amphitheatre Parkway', null],
    ['Your card ending in 4821 was charged 1250 USD', null],
    ['Verify here: https://example.com/verify?code=482913', null],
    ['Write to 482913@example.com to verify.', null],
    ['Your tracking number is 12345678901234', null],
    ['Error code 500123 occurred in version 4.18.2', null],
    ['Verify your e-mail within 1440 minutes.', null],
    ['Hello, and welcome.', null],
    ['', null],
  ],
  German: [
    ['Ihr Bestätigungscode lautet: 482913', '482913'],
    ['Ihr Einmalpasswort: 77120934. Gültig bis 12:45 Uhr am 22.11.2026.', '77120934'],
    ['mTAN 482913 für die Überweisung von 1.250,00 EUR auf Konto 4711 0815', '482913'],
    ['Ihre Bestellnummer 482913 wurde versandt', null],
    ['Ihr Gutscheincode: 482913', null],
  ],
  French: [
    ['Votre code de vérification est le 482 913.', '482913'],
    ['482913 est votre code de connexion', '482913'],
    ['Votre commande 482913 est en route. Appelez le 01 23 45 67 89.', null],
  ],
  Spanish: [
    ['Tu código de verificación es 482913', '482913'],
    ['Tu clave temporal: 8812. No la compartas.', '8812'],
    ['Código postal 28013, pedido 482913', null],
  ],
  Portuguese: [
    ['Seu código de verificação é: 482913', '482913'],
    ['O seu pedido nº 482913 no valor de R$ 1250 foi confirmado', null],
  ],
  Italian: [['Il tuo codice di verifica è 482913', '482913']],
  Dutch: [['Je verificatiecode is 482913. Deze is 10 minuten geldig.', '482913']],
  Polish: [['Twój kod weryfikacyjny to 482913', '482913']],
  Turkish: [['Doğrulama kodunuz: 482913. Kimseyle paylaşmayın.', '482913']],
  Russian: [
    ['Ваш код подтверждения: 482913', '482913'],
    ['4821 — код для входа. Никому его не сообщайте.', '4821'],
    ['Ваш заказ 482913 готов к выдаче, сумма 1250 руб.', null],
  ],
  Chinese: [
    ['【示例】您的验证码是482913，5分钟内有效。', '482913'],
    ['验证码：７７１２０４，请勿告诉他人。客服电话4008001234', '771204'],
    ['您的订单号482913已发货', null],
  ],
  Japanese: [
    ['認証コードは482913です。', '482913'],
    ['確認コード：4821（有効期限は10分）', '4821'],
    ['ご注文番号 482913 を承りました。合計1250円', null],
  ],
  Korean: [
    ['[예시] 인증번호 [482913]를 입력해 주세요.', '482913'],
    ['인증번호는 4821입니다. 2026년 11월', '4821'],
  ],
  Arabic: [['رمز التحقق الخاص بك هو ٤٨٢٩١٣', '482913']],
  Hindi: [['आपका ओटीपी ४८२९१३ है। इसे किसी के साथ साझा न करें।', '482913']],
  Vietnamese: [['Mã xác minh của bạn là 482913', '482913']],
};

describe.each(Object.entries(messages))('%s', (_language, table) => {
  it.each(table)('%j: %s', (message, code) => expect(extractCode(message)).toBe(code));
});

it('covers at least 60 messages in 10 languages', () => {
  expect(Object.values(messages).flat().length).toBeGreaterThanOrEqual(60);
  expect(Object.keys(messages).length).toBeGreaterThan(10);
});

describe('extractMailCode', () => {
  it('reads a code from the subject', () => {
    expect(extractMailCode({ subject: '482913 is your code', text: 'Hello.' })).toBe('482913');
  });

  it('reads a code from HTML only', () => {
    const html = `<html><head><title>Code 111111</title><style>.a{width:600000px}</style></head><body>
      <!-- code 222222 --><p>Your verification code:</p><table><tr><td>4</td><td>8</td><td>2</td><td>9</td><td>1</td>
      <td>3</td></tr></table><script>var code = 333333;</script><p>&copy; 2026&nbsp;Example &#8226; Order&#x20;77777</p>`;
    expect(extractMailCode({ subject: 'Confirm', text: '', html })).toBe('482913');
    const spans = '<p>Your code is <b><span>48</span><span>29</span><wbr>13</b></p>';
    expect(extractMailCode({ subject: 'Confirm', text: ' ', html: spans })).toBe('482913');
  });

  it('reads malformed HTML', () => {
    for (const html of ['<', '<b', '<style>', '<!--', '&', '&#;', '&#x110000;', '&#xffffffff;', '<p>1 < 2'])
      expect(extractMailCode({ subject: '', text: '', html })).toBeNull();
    expect(extractMailCode({ subject: '', text: '', html: 'a < b, code 482913 <b' })).toBe('482913');
  });

  it('prefers the text part', () => {
    const html = '<p>Your code is 999999</p>';
    expect(extractMailCode({ subject: 'Hi', text: 'Your code is 482913', html })).toBe('482913');
  });
});

describe('Hostile input', () => {
  const long = 200_000;
  it.each([
    ['spaces', ' '.repeat(long)],
    ['digits', '1'.repeat(long)],
    ['pairs of digits', '12 '.repeat(long / 3)],
    ['numbers', '482913 '.repeat(long / 7)],
    ['labels', 'code '.repeat(long / 5)],
    ['labels and numbers', 'order code 482913 # '.repeat(long / 20)],
    ['open tags', '<'.repeat(long)],
    ['open styles', '<style>'.repeat(long / 7)],
    ['ends of tags', '<style></s'.repeat(long / 10)],
    ['ampersands', '&'.repeat(long)],
    ['commas', '1,'.repeat(long / 2)],
    ['addresses', 'a@'.repeat(long / 2)],
    ['letters', 'a'.repeat(long)],
    ['dashes', 'A1-'.repeat(long / 3)],
    ['line ends', '\n1111'.repeat(long / 5)],
  ])('takes less than a second: %s', (_name, text) => {
    const tookMs = processorMsOf(() => {
      extractMailCode({ subject: text, text, html: text });
      extractMailCode({ subject: '', text: '', html: text });
    });
    expect(tookMs).toBeLessThan(1_000);
  });

  it('finds codes in the first 20,000 characters only', () => {
    expect(extractCode(`${'a '.repeat(9_000)} your code is 482913`)).toBe('482913');
    expect(extractCode(`${'a '.repeat(10_001)} your code is 482913`)).toBeNull();
  });
});
