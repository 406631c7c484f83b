import { Fragment, type ReactNode } from 'react';

/** The names of the placeholders in a text. */
type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;

/** Replaces the placeholders `{name}` of a text with elements. Translations may order them differently. */
export const fillIn = <Text extends string>(text: Text, elements: Record<Names<Text>, ReactNode>): ReactNode =>
  text.split(/\{(\w+)\}/).map((part, index) => (
    // The parts of a text never change their order.
    <Fragment key={index}>{index % 2 === 0 ? part : elements[part as Names<Text>]}</Fragment>
  ));
