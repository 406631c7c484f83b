import { isComposing } from './is-composing.ts';

/** Ctrl or Cmd and Enter: the form, or else the main action of the dialog, in which the focus is. */
export function submitByKeys(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  if (event.defaultPrevented || isComposing(event) || event.repeat || !(event.target instanceof Element)) return;
  const dialog = event.target.closest('[role="dialog"], [role="alertdialog"]');
  const form = event.target.closest('form') ?? dialog?.querySelector('form');
  const action = form?.querySelector('[type="submit"]') ?? dialog?.querySelector('[data-actions] > :last-child');
  if (!(action instanceof HTMLElement)) return;
  event.preventDefault();
  action.click();
}
