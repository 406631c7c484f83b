import type { FromFrame, ToFrame } from './messages.ts';

// It sets styles as properties, because a page's policy may forbid inline styles. It uses no imports, no cookies and no
// storage.
(() => {
  const { currentScript } = document;
  // A module or a bundled script is not the current script, so any element can name the embed.
  const named = currentScript?.dataset['embed'] ? currentScript : document.querySelector<HTMLElement>('[data-embed]');
  const embedId = named?.dataset['embed'];
  const address = named?.dataset['service'] ?? (named as HTMLScriptElement | null)?.src;
  if (!named || !embedId || !address) {
    // oxlint-disable-next-line no-console, language/catalogued-texts -- for the developer of the website
    console.warn(`AgentChat does nothing: no element has ${embedId ? 'data-service' : 'data-embed'}.`);
    return;
  }
  // Pages that replace their body run the script again; the first run keeps the chat in the page.
  if ('AgentChat' in window) return;
  const service = new URL(address, location.href).origin;
  const style = (element: HTMLElement, properties: Record<string, string>): void => {
    for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value, 'important');
  };

  // Empty when the website's visitor is signed out.
  let identity = named.dataset['identity'] || undefined;
  let isOpen = false;
  let isReady = false;
  let position = 'right';
  const narrow = matchMedia('(max-width: 480px), (max-height: 480px)');
  const frame = document.createElement('iframe');
  const button = document.createElement('button');

  const send = (message: ToFrame): void => frame.contentWindow?.postMessage(message, service);

  function place(): void {
    const isFull = narrow.matches;
    const opposite = position === 'right' ? 'left' : 'right';
    style(frame, {
      position: 'fixed',
      display: isOpen ? 'block' : 'none',
      bottom: isFull ? '0' : '88px',
      [position]: isFull ? '0' : '20px',
      [opposite]: isFull ? '0' : 'auto',
      width: isFull ? '100%' : '384px',
      height: isFull ? '100%' : 'min(640px, calc(100dvh - 108px))',
      'max-width': '100%',
      border: '0',
      'border-radius': isFull ? '0' : '16px',
      'box-shadow': '0 12px 40px rgb(20 22 40 / 24%)',
      'color-scheme': 'normal',
      'z-index': '2147483646',
    });
    style(button, {
      display: isReady && !(isOpen && isFull) ? 'block' : 'none',
      [position]: '20px',
      [opposite]: 'auto',
    });
    button.setAttribute('aria-expanded', String(isOpen));
  }

  function show(wanted: boolean): void {
    if (!isReady || wanted === isOpen) return;
    isOpen = wanted;
    place();
    send({ type: wanted ? 'open' : 'close' });
    if (wanted) frame.focus();
    else button.focus();
  }

  addEventListener('message', ({ source, origin, data }: MessageEvent<FromFrame>) => {
    if (source !== frame.contentWindow || origin !== service) return;
    if (data.type === 'close') show(false);
    if (data.type !== 'ready') return;
    isReady = true;
    // A frame that was moved to another body has been loaded again.
    if (isOpen) send({ type: 'open' });
    position = data.position === 'left' ? 'left' : 'right';
    frame.title = data.label;
    button.setAttribute('aria-label', data.label);
    button.title = data.label;
    style(button, { 'background-color': data.color });
    icon.setAttribute('stroke', data.onColor);
    place();
  });

  style(button, {
    position: 'fixed',
    bottom: '20px',
    width: '56px',
    height: '56px',
    margin: '0',
    padding: '16px',
    border: '0',
    'border-radius': '50%',
    'box-shadow': '0 4px 16px rgb(20 22 40 / 28%)',
    cursor: 'pointer',
    'z-index': '2147483645',
  });
  const svg = 'http://www.w3.org/2000/svg';
  const icon = document.createElementNS(svg, 'svg');
  const path = document.createElementNS(svg, 'path');
  const attributes = { viewBox: '0 0 24 24', width: '24', height: '24', fill: 'none', 'stroke-width': '2' };
  for (const [name, value] of Object.entries(attributes)) icon.setAttribute(name, value);
  icon.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', 'M21 11.5a8.4 8.4 0 0 1-12.3 7.4L3 21l2.1-5.7A8.4 8.4 0 1 1 21 11.5z');
  icon.append(path);
  button.append(icon);
  button.type = 'button';
  button.setAttribute('aria-haspopup', 'dialog');
  button.addEventListener('click', () => show(!isOpen));
  narrow.addEventListener('change', place);

  frame.addEventListener('load', () => send({ type: 'hello', identity }));
  // The chat may open links in new tabs, but may not navigate this page.
  frame.setAttribute(
    'sandbox',
    'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox',
  );
  // Turbo stores a copy of the body, in which the chat would not work.
  for (const element of [frame, button]) element.dataset['turboTemporary'] = '';
  frame.src = `${service}/embed/${encodeURIComponent(embedId)}`;

  const observer = new MutationObserver(keepInPage);
  let body: HTMLElement | null = null;
  let attempts = 0;

  /**
   * Appends the chat to the body and appends it again when a script navigates by replacing the body or its content. The
   * frame is loaded again then. A script that removes the chat again and again wins.
   */
  function keepInPage(): void {
    if (body !== document.body) {
      body = document.body;
      attempts = 0;
      observer.disconnect();
      observer.observe(document.documentElement, { childList: true });
      observer.observe(body, { childList: true });
    }
    if ((frame.parentNode === body && button.parentNode === body) || attempts++ > 20) return;
    isReady = false;
    place();
    body.append(frame, button);
  }

  Object.defineProperty(window, 'AgentChat', {
    value: Object.freeze({
      open: () => show(true),
      close: () => show(false),
      /** Call it when the person has signed in, with a token of the website's server, or out, without one. */
      identify: (token?: string) => {
        identity = token || undefined;
        if (isReady) send({ type: 'hello', identity });
      },
    }),
  });

  // Start after the page has loaded. Nothing is visible until the frame is ready; if the service is down, nothing ever is.
  if (document.readyState === 'complete') keepInPage();
  else addEventListener('load', keepInPage, { once: true });
})();
