type Children = readonly (Node | string)[];

interface Attributes {
  class?: string;
  [name: string]: string | undefined;
}

/** Creates an element. Strings become text nodes, never HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  children: Children = [],
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const svg = 'http://www.w3.org/2000/svg';

/** Creates an icon of 24 by 24 from one SVG path. */
function icon(path: string): SVGElement {
  const drawing = document.createElementNS(svg, 'svg');
  const attributes = { viewBox: '0 0 24 24', width: '20', height: '20', fill: 'none', stroke: 'currentColor' };
  for (const [name, value] of Object.entries(attributes)) drawing.setAttribute(name, value);
  drawing.setAttribute('stroke-width', '1.75');
  drawing.setAttribute('stroke-linecap', 'round');
  drawing.setAttribute('stroke-linejoin', 'round');
  drawing.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(svg, 'path');
  line.setAttribute('d', path);
  drawing.append(line);
  return drawing;
}

export const icons = {
  close: 'M6 6l12 12M18 6L6 18',
  more: 'M4 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0M11 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0M18 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0',
  send: 'M12 19V5M6 11l6-6 6 6',
  stop: 'M7 7h10v10H7z',
  up: 'M7 10v11H4V10zM7 10l4-8a3 3 0 0 1 3 3v4h5a2 2 0 0 1 2 2.3l-1.3 8A2 2 0 0 1 17.7 21H7',
  down: 'M17 14V3h3v11zM17 14l-4 8a3 3 0 0 1-3-3v-4H5a2 2 0 0 1-2-2.3l1.3-8A2 2 0 0 1 6.3 3H17',
} as const;

/** Creates a button with an icon and an accessible name. */
export function iconButton(label: string, path: string, onPress: () => void): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'icon', 'aria-label': label, title: label }, [icon(path)]);
  button.addEventListener('click', onPress);
  return button;
}
