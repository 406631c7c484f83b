import { Link } from '@tanstack/react-router';
import { texts } from './texts.ts';

/** Where a limit of the plan leads. */
export const PlansLink = () => <Link to="/settings/billing">{texts.seePlans}</Link>;
