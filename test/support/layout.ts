// Expressions that are evaluated in a page.

export const fitsWidth = 'document.documentElement.scrollWidth <= innerWidth';

/** Names of the controls that are not completely inside the window's width. */
export const outside = `[...document.querySelectorAll('a, button, input, textarea, select')]
  .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: false }))
  .filter((element) => !element.closest('pre, table, [aria-label="Table"]') && !element.matches('[class*="skip"], .visually-hidden'))
  .map((element) => ({ name: element.getAttribute('aria-label') ?? element.textContent, box: element.getBoundingClientRect() }))
  .filter(({ box }) => box.width > 0 && (box.left < -1 || box.right > innerWidth + 1))
  .map(({ name }) => name)`;

/** Names of the fields with text below 16 px, on which iOS zooms in. */
export const zooming = `[...document.querySelectorAll('input, textarea, select')]
  .filter((element) => parseFloat(getComputedStyle(element).fontSize) < 16)
  .map((element) => element.getAttribute('aria-label') ?? element.name)`;

/**
 * Controls smaller than 44 px in both directions, except links inside text, links that cover their card, and switches,
 * each of which is alone in a row of 52 px.
 */
export const small = `[...document.querySelectorAll('main a, main button, main input, main textarea, main select, header button, [role$=dialog] :is(a, button, input, textarea, select)')]
  .filter((element) => element.checkVisibility() && !element.closest('p, article li, blockquote li, [dir="auto"] li, .visually-hidden') && !element.matches('[role="switch"]'))
  .filter((element) => getComputedStyle(element, '::after').position !== 'absolute')
  .map((element) => ({ name: element.getAttribute('aria-label') ?? element.textContent, box: (element.closest('label') ?? element).getBoundingClientRect() }))
  .filter(({ box }) => box.width > 1 && (box.height < 24 || (box.height < 44 && box.width < 44)))
  .map(({ name, box }) => name + ' ' + Math.round(box.width) + 'x' + Math.round(box.height))`;
