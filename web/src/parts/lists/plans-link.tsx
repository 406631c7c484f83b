import { Link } from '@tanstack/react-router';
import { texts } from '../texts.ts';

/** Link to the plans, for messages about a plan limit. */
export const PlansLink = () => <Link to="/settings/billing">{texts.seePlans}</Link>;
