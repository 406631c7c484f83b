import DOMPurify from 'dompurify';

/** Elements that Markdown can produce. No images: their URLs could leak what the model has read. */
const markdown = {
  ALLOWED_TAGS: (
    'a b blockquote br code del em h1 h2 h3 h4 h5 h6 hr i kbd li mark ol p pre s span strong sub sup table tbody td th ' +
    'thead tr ul'
  ).split(' '),
  ALLOWED_ATTR: ['href', 'title', 'start', 'align', 'class', 'target', 'rel'],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
  // Their values would otherwise have to be such addresses too.
  ADD_URI_SAFE_ATTR: ['align', 'start'],
};

DOMPurify.addHook('afterSanitizeAttributes', (element) => {
  const allowed = [...element.classList].filter((name) => /^(language-|hljs)/.test(name));
  if (allowed.length > 0) element.setAttribute('class', allowed.join(' '));
  else element.removeAttribute('class');
  if (element.tagName !== 'A') return;
  const href = element.getAttribute('href');
  if (!href) return;
  element.setAttribute('target', '_blank');
  element.setAttribute('rel', 'noopener noreferrer nofollow');
  element.setAttribute('title', URL.canParse(href) ? new URL(href).host || href : href);
});

/** Sanitizes HTML and inserts it. No other code may insert HTML. */
export function setMarkdownHtml(element: Element, html: string): void {
  element.innerHTML = DOMPurify.sanitize(html, { ...markdown, RETURN_TRUSTED_TYPE: true }) as unknown as string;
}

/** Replaces an element with sanitized MathML. */
export function setFormula(element: Element, mathMl: string): void {
  const trusted = DOMPurify.sanitize(mathMl, {
    USE_PROFILES: { mathMl: true },
    // KaTeX adds the source of a formula as an annotation, which would be shown as text.
    FORBID_CONTENTS: ['annotation', 'script', 'style'],
    RETURN_TRUSTED_TYPE: true,
  });
  const holder = document.createElement('span');
  holder.innerHTML = trusted as unknown as string;
  element.replaceWith(holder);
}
