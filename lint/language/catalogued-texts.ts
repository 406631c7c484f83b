interface Node {
  type: string;
  parent?: Node;
  [key: string]: unknown;
}

interface RuleContext {
  filename: string;
  report(problem: { node: unknown; message: string }): void;
}

const message = 'A text for people belongs in texts.ts of its folder.';

/** Attributes whose text is shown, even when it is one word in lower case. */
const readAttributes = new Set(['alt', 'aria-label', 'caption', 'hint', 'label', 'placeholder', 'things', 'title']);
/** Key names and brands, which are the same in every language. */
const names = new Set(
  (
    'Alt Backspace Control Ctrl Delete End Enter Esc Escape Home Meta O Shift Tab {} ' +
    'Android Chrome Discord Edge Firefox Go Linux Node Opera Python Safari Slack Telegram Windows'
  ).split(' '),
);
/** Whether a text is a selector, markup, a style or code. */
const isCode = (text: string): boolean => /[\n<]|="|^curl |rgb\(/.test(text);
/** Whether a text is several words, one capitalized word, or a word beside a number or an interpolated value. */
const isProse = (text: string): boolean =>
  !isCode(text) &&
  !text.split(' ').every((word) => names.has(word)) &&
  (/\p{L}{2,} \p{L}|\p{L} \p{L}{2,}/u.test(text) ||
    /^\p{Lu}\p{Ll}+[.?!…]?$/u.test(text) ||
    /(^| )\p{Ll}{2,} |\d \p{L}{2,}/u.test(text));

/** Whether a string is never shown: module names, types, compared values, keys and selectors. */
function isTechnical(node: Node): boolean {
  const parent = node.parent;
  switch (parent?.type) {
    case undefined:
    case 'BinaryExpression':
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration':
    case 'ImportDeclaration':
    case 'ImportExpression':
    case 'SwitchCase':
    case 'TSLiteralType':
    case 'TSImportType':
    case 'TaggedTemplateExpression':
      return true;
    case 'MemberExpression':
      return parent['property'] === node;
    case 'Property':
      return parent['key'] === node || /^(_?_?typename|className|sizes|styles?|accept)$/.test(nameOf(parent['key']));
    case 'CallExpression':
      return technicalCall.test(nameOf(parent['callee']));
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return isTechnical(parent);
    default:
      return false;
  }
}

/** Functions whose string arguments are technical: screens, selectors, media queries, error names. */
const technicalCall =
  /^(closest|getItem|hasAttribute|setAttribute|startsWith|matches|matchMedia|querySelector|querySelectorAll|screen|split|useMediaQuery)$/;

const nameOf = (node: unknown): string => {
  const { name, property, value } = (node ?? {}) as { name?: unknown; property?: unknown; value?: unknown };
  if (typeof name === 'string') return name;
  if (typeof value === 'string') return value;
  return property ? nameOf(property) : '';
};

const attributeName = (attribute: Node): string => {
  const { name } = attribute['name'] as { name: unknown };
  return typeof name === 'string' ? name : '';
};

/** Requires the console's texts to be in `texts.ts` of each folder, so that they can be translated. */
export const cataloguedTexts = {
  create(context: RuleContext) {
    if (!/web[/\\]src[/\\]/.test(context.filename) || context.filename.endsWith('texts.ts')) return {};
    const check = (node: Node, text: unknown): void => {
      if (typeof text !== 'string' || isTechnical(node)) return;
      const isRead =
        node.parent?.type === 'JSXAttribute' && readAttributes.has(attributeName(node.parent)) && /\p{L}/u.test(text);
      if (isRead || isProse(text)) context.report({ node, message });
    };
    return {
      JSXText(node: Node): void {
        if (/\p{L}/u.test(String(node['value']))) context.report({ node, message });
      },
      Literal: (node: Node): void => check(node, node['value']),
      TemplateLiteral(node: Node): void {
        const quasis = node['quasis'] as { value: { cooked: string } }[];
        check(node, quasis.map(({ value }) => value.cooked).join('{}'));
      },
    };
  },
};
