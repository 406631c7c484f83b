/** Whether a key event belongs to an IME composition. Safari ends it before the keydown, which has key code 229. */
export const isComposing = (event: KeyboardEvent): boolean =>
  // oxlint-disable-next-line typescript/no-deprecated -- the only sign that Safari gives
  event.isComposing || event.keyCode === 229;
