import { isComposing } from './is-composing.ts';

/** On Ctrl/Cmd+Enter submits the form around the focus, or else presses the primary button of its dialog. */
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
