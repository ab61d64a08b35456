export interface EmbedTexts {
  title: string;
  close: string;
  window: string;
  /** Where the page did not report in time. */
  failed: string;
  retry: string;
}

// One text for each language, since the script must be small.
const packed: Readonly<Record<string, string>> = {
  en: 'Payment|Close|Open in a window|The page does not answer.|Try again',
  es: 'Pago|Cerrar|Abrir en una ventana|La página no responde.|Reintentar',
  pt: 'Pagamento|Fechar|Abrir numa janela|A página não responde.|Repetir',
  fr: 'Paiement|Fermer|Ouvrir dans une fenêtre|La page ne répond pas.|Réessayer',
  de: 'Zahlung|Schließen|In einem Fenster öffnen|Die Seite antwortet nicht.|Wiederholen',
  it: 'Pagamento|Chiudi|Apri in una finestra|La pagina non risponde.|Riprova',
  tr: 'Ödeme|Kapat|Pencerede aç|Sayfa yanıt vermiyor.|Yeniden dene',
  ru: 'Оплата|Закрыть|Открыть в окне|Страница не отвечает.|Повторить',
  zh: '付款|关闭|在窗口中打开|页面没有响应。|重试',
  ja: '支払い|閉じる|ウィンドウで開く|ページが応答しません。|再試行',
  ar: 'الدفع|إغلاق|فتح في نافذة|الصفحة لا تستجيب.|إعادة المحاولة',
  he: 'תשלום|סגירה|פתיחה בחלון|הדף אינו מגיב.|ניסיון חוזר',
};

/** The texts of the first language that there is, in English where there is none. @param tags such as `de-AT` */
export function textsIn(tags: readonly (string | null | undefined)[]): EmbedTexts {
  const codes = tags.map((tag) => `${tag}`.slice(0, 2).toLowerCase());
  const code = codes.find((one) => one in packed) ?? 'en';
  const [title = '', close = '', window = '', failed = '', retry = ''] = packed[code]!.split('|');
  return { title, close, window, failed, retry };
}
