import { Fragment, type ReactNode } from 'react';

/** The names in braces of a text. */
type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;

/** A text with an element in each of its braces, so that a translation may order them as its language does. */
export const fillIn = <Text extends string>(text: Text, elements: Record<Names<Text>, ReactNode>): ReactNode =>
  text.split(/\{(\w+)\}/).map((part, index) => (
    // The parts of a text never change their order.
    <Fragment key={index}>{index % 2 === 0 ? part : elements[part as Names<Text>]}</Fragment>
  ));
