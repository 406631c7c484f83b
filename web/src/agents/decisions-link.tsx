import { Link } from '@tanstack/react-router';
import { fillIn } from '../parts/values/fill-in.tsx';
import { texts } from './texts.ts';

/** Link to the page that explains holds and removals of the person's content, where they can appeal. */
export const DecisionsLink = () =>
  fillIn(texts.decisionSaysWhy, { decision: <Link to="/settings/reports">{texts.decisionWithin}</Link> });
