/** The look of all pages: one column that fits a phone, light or dark as the reader's device is. */
export const style = `
:root { color-scheme: light dark; --back: #f3f5f8; --card: #fff; --ink: #16202e; --soft: #526075; --line: #d7dde6;
  --accent: #1c56c4; --on-accent: #fff; --good: #12703b; --good-back: #e5f5ec; --bad: #a8201c; --bad-back: #fdecea;
  --wait: #7a5200; --wait-back: #fff4dc; }
@media (prefers-color-scheme: dark) { :root { --back: #0e141c; --card: #18212d; --ink: #e8edf4; --soft: #a3b0c2;
  --line: #334155; --accent: #8cb4ff; --on-accent: #0b1a33; --good: #7fdca4; --good-back: #123322; --bad: #ff9d97;
  --bad-back: #3d1a19; --wait: #ffcf70; --wait-back: #3a2c0d; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 24px 16px; background: var(--back); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 560px; margin: 0 auto; padding: 28px; background: var(--card); border: 1px solid var(--line);
  border-radius: 16px; }
footer { max-width: 560px; margin: 14px auto 0; text-align: center; color: var(--soft); font-size: 13px; }
h1 { margin: 0 0 4px; font-size: 34px; line-height: 1.15; letter-spacing: -.01em; overflow-wrap: anywhere; }
h2 { margin: 28px 0 10px; font-size: 18px; }
h3 { margin: 22px 0 6px; font-size: 16px; }
p { margin: 8px 0; overflow-wrap: anywhere; }
a { color: var(--accent); }
.soft { color: var(--soft); font-size: 14px; }
.value { color: var(--soft); margin: 0 0 14px; }
.description { font-size: 18px; white-space: pre-line; }
.image { display: block; max-width: 100%; max-height: 280px; margin: 0 0 16px; border-radius: 12px; }
dl { margin: 18px 0 0; border-top: 1px solid var(--line); }
dl > div { padding: 10px 0; border-bottom: 1px solid var(--line); }
dt { color: var(--soft); font-size: 14px; }
dd { margin: 0; overflow-wrap: anywhere; }
code { display: block; padding: 10px 12px; background: var(--back); border: 1px solid var(--line); border-radius: 8px;
  font: 14px/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere;
  user-select: all; -webkit-user-select: all; }
code.long { max-height: 9em; overflow-y: auto; }
.notice { margin: 18px 0; padding: 12px 16px; border-radius: 10px; font-weight: 600; }
.notice p { margin: 4px 0 0; font-weight: 400; }
.good { background: var(--good-back); color: var(--good); }
.bad { background: var(--bad-back); color: var(--bad); }
.wait { background: var(--wait-back); color: var(--wait); }
.option { margin: 0 0 10px; padding: 14px 16px; border: 1px solid var(--line); border-radius: 12px; }
.option .head { display: flex; gap: 12px; align-items: center; }
.option .head img { flex: none; }
.option .head > span { flex: 1; min-width: 0; overflow-wrap: anywhere; }
.option .head strong, .option .head .soft { display: block; }
label { display: block; margin: 12px 0 4px; font-size: 14px; }
input { width: 100%; padding: 11px 12px; color: inherit; background: var(--card); border: 1px solid var(--soft);
  border-radius: 8px; font: inherit; font-size: 16px; }
button, .button { display: block; width: 100%; margin-top: 12px; padding: 12px 16px; color: var(--on-accent);
  background: var(--accent); border: 0; border-radius: 10px; font: inherit; font-weight: 600; text-align: center;
  text-decoration: none; cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
summary { cursor: pointer; padding: 8px 0; color: var(--accent); }
.qr { display: block; width: 100%; max-width: 240px; height: auto; margin: 14px auto; border-radius: 12px; }
ol { margin: 0; padding-left: 22px; }
ol.steps { padding: 0; list-style: none; }
ol.steps li { padding: 8px 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
ol.steps li:last-child { border: 0; }
progress { display: block; width: 100%; height: 10px; margin: 10px 0; accent-color: var(--accent); }
@media (max-width: 480px) { body { padding: 12px 8px; } main { padding: 20px 16px; } h1 { font-size: 28px; } }
`;
