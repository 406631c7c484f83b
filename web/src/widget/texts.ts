import { english, type Texts } from './english-texts.ts';
import { arabic, french, german, spanish } from './translated-texts.ts';

const languages: Readonly<Record<string, Texts>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  ar: arabic,
};

const rightToLeft = new Set(['ar', 'he', 'fa', 'ur']);

const baseOf = (language: string): string => language.slice(0, 2).toLowerCase();

export const textsIn = (language: string): Texts => languages[baseOf(language)] ?? english;

export const directionOf = (language: string): 'ltr' | 'rtl' => (rightToLeft.has(baseOf(language)) ? 'rtl' : 'ltr');
