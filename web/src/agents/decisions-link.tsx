import { Link } from '@tanstack/react-router';
import { fillIn } from '../parts/fill-in.tsx';
import { texts } from './texts.ts';

/** Where a person reads why something of theirs is held or removed, and appeals. */
export const DecisionsLink = () =>
  fillIn(texts.decisionSaysWhy, { decision: <Link to="/settings/reports">{texts.decisionWithin}</Link> });
