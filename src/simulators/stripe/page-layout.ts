const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => entities[char] ?? char);

/** Returns a URL for an href. Allows only http and https, so that it cannot run a script. */
export const safeHref = (url: string): string => (/^https?:\/\//i.test(url) ? escapeHtml(url) : '#');

export const money = (cents: number): string =>
  `${cents < 0 ? '-' : ''}$${(Math.abs(cents) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`;

export const day = (seconds: number): string =>
  new Date(seconds * 1_000).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });

export const titleOf = (plan: string): string => plan.slice(0, 1).toUpperCase() + plan.slice(1);

/** Renders a page of the processor. `body` is HTML. */
export const layout = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Agent Chat</title>
<style>${style}</style>
</head>
<body>
<p class="test">Test mode: no money moves, and no card number is kept.</p>
${body}
</body>
</html>
`;

export const messagePage = (title: string, text: string, link: { href: string; text: string } | null): string =>
  layout(
    title,
    `<main class="single card"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>${
      link ? `<p><a class="button" href="${safeHref(link.href)}">${escapeHtml(link.text)}</a></p>` : ''
    }</main>`,
  );

const style = `
:root { color-scheme: light dark; --ink: #1c2024; --soft: #60646c; --line: #e0e1e6; --page: #f6f7f9; --paper: #fff;
  --accent: #4b52c9; --on-accent: #fff; --good: #18794e; --bad: #c62a2f; --note: #fff3d6; --on-note: #6b4a00 }
@media (prefers-color-scheme: dark) { :root { --ink: #edeef0; --soft: #a0a5ad; --line: #363a3f; --page: #111214;
  --paper: #1a1c1f; --accent: #7f86f5; --on-accent: #0f1020; --good: #4cc38a; --bad: #ff8589; --note: #3a2d0b; --on-note: #f5d58a } }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif }
.test { margin: 0; padding: 6px 16px; text-align: center; font-size: 14px; background: var(--note); color: var(--on-note) }
main { max-width: 940px; margin: 0 auto; padding: 40px 20px }
.pair { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); gap: 48px; padding-top: 56px }
.single { max-width: 520px; margin-top: 56px }
@media (max-width: 720px) { .pair { grid-template-columns: 1fr; gap: 28px; padding-top: 28px } }
.card { background: var(--paper); border: 1px solid var(--line); border-radius: 12px; padding: 28px;
  box-shadow: 0 1px 2px #0000000a, 0 8px 24px #0000000d }
section.card { margin-bottom: 20px }
h1 { margin: 0 0 4px; font-size: 26px; line-height: 1.25; letter-spacing: -.01em }
h2 { margin: 0 0 14px; font-size: 17px }
.brand { display: flex; align-items: center; gap: 10px; margin-bottom: 28px; font-weight: 600 }
.brand i { width: 28px; height: 28px; border-radius: 8px; background: linear-gradient(135deg, var(--accent), #b07cff) }
.soft { color: var(--soft) }
.price { font-size: 42px; font-weight: 650; letter-spacing: -.02em; margin: 10px 0 0; line-height: 1.15 }
.price small { font-size: 16px; font-weight: 400; color: var(--soft); letter-spacing: 0 }
ul.plain { list-style: none; padding: 0; margin: 24px 0 0 } ul.plain li { padding: 5px 0 5px 26px; position: relative }
ul.plain li::before { content: "✓"; position: absolute; left: 2px; color: var(--good); font-weight: 700 }
dl { display: grid; grid-template-columns: auto minmax(0, 1fr); row-gap: 8px; margin: 0 } dt { color: var(--soft); padding-right: 24px } dd { margin: 0; text-align: right }
dd, p, h1, h2 { overflow-wrap: anywhere }
.total { border-top: 1px solid var(--line); padding-top: 10px; font-weight: 600; color: var(--ink) }
fieldset { border: 0; margin: 0; padding: 0 } legend { padding: 0; margin-bottom: 8px; font-weight: 600 }
label.option { display: flex; gap: 12px; align-items: flex-start; border: 1px solid var(--line); padding: 12px 14px; cursor: pointer }
label.option:first-of-type { border-radius: 9px 9px 0 0 } label.option:last-of-type { border-radius: 0 0 9px 9px }
label.option + label.option { border-top: 0 } label.option:has(:checked) { background: color-mix(in srgb, var(--accent) 9%, transparent) }
label.option input { margin: 5px 0 0; accent-color: var(--accent) } label.option b { display: block; font-variant-numeric: tabular-nums }
button, .button { display: inline-block; border: 0; border-radius: 9px; padding: 11px 18px; font: inherit; font-weight: 600; cursor: pointer;
  background: var(--accent); color: var(--on-accent); text-decoration: none }
button:hover, .button:hover { filter: brightness(1.08) } :focus-visible { outline: 3px solid color-mix(in srgb, var(--accent) 45%, transparent); outline-offset: 2px }
button.wide { width: 100%; padding: 13px; margin-top: 20px; font-size: 17px }
button.quiet { background: none; color: var(--soft); font-weight: 500 } button.quiet:hover { color: var(--ink) }
button.line { background: none; color: var(--ink); border: 1px solid var(--line); padding: 8px 14px }
.alert { border-radius: 9px; padding: 10px 14px; margin: 0 0 18px; color: var(--bad); background: color-mix(in srgb, var(--bad) 12%, transparent) }
.badge { display: inline-block; border-radius: 99px; padding: 1px 10px; font-size: 13px; font-weight: 600; color: var(--good);
  background: color-mix(in srgb, currentColor 13%, transparent) } .badge.bad { color: var(--bad) } .badge.off { color: var(--soft) }
.row .brand { margin-bottom: 0 } h1 + p { margin-top: 0 }
.row { display: flex; justify-content: space-between; align-items: center; gap: 16px; flex-wrap: wrap }
.scroll { overflow-x: auto } table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums }
th { text-align: left; font-weight: 500; color: var(--soft); font-size: 14px } th, td { padding: 9px 10px 9px 0; border-bottom: 1px solid var(--line); white-space: nowrap }
tr:last-child td { border-bottom: 0 } td.end, th.end { text-align: right; padding-right: 0 } a { color: var(--accent) }
details summary { cursor: pointer; color: var(--accent) } details form { margin-top: 14px }
`;
