import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import css from 'highlight.js/lib/languages/css';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import { setMarkdownHtml } from './sanitize.ts';

const languages = { bash, c, css, go, java, javascript, json, python, rust, sql, typescript, xml };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

/** Highlights the code in an element. An unknown language stays plain. */
export function highlight(element: Element, code: string, language: string): void {
  if (!hljs.getLanguage(language)) return;
  setMarkdownHtml(element, hljs.highlight(code, { language, ignoreIllegals: true }).value);
}
