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
 * Controls that a finger misses: smaller than 44 px in a direction, with another control in the square of 44 px around
 * their middle. Links inside text, links that cover their card, and switches, each of which is alone in a row of 52 px,
 * are left out.
 */
export const small = `(() => {
  const controls = [...document.querySelectorAll('main a, main button, main input, main textarea, main select, header button, [role$=dialog] :is(a, button, input, textarea, select)')]
    .filter((element) => element.checkVisibility() && !element.closest('p, article li, blockquote li, [dir="auto"] li, .visually-hidden') && !element.matches('[role="switch"]'))
    .filter((element) => getComputedStyle(element, '::after').position !== 'absolute')
    .map((element) => ({ element, name: element.getAttribute('aria-label') ?? element.textContent, box: (element.closest('label') ?? element).getBoundingClientRect() }))
    .filter(({ box }) => box.width > 1);
  const isNear = (a, b) => {
    const x = (a.left + a.right) / 2;
    const y = (a.top + a.bottom) / 2;
    return b.left < x + 21.5 && b.right > x - 21.5 && b.top < y + 21.5 && b.bottom > y - 21.5;
  };
  return controls
    .filter(({ box }) => box.height < 43.5 || box.width < 43.5)
    .filter((one) => one.box.height < 24 || controls.some((other) => other !== one && isNear(one.box, other.box)))
    .map(({ name, box }) => name + ' ' + Math.round(box.width) + 'x' + Math.round(box.height));
})()`;
