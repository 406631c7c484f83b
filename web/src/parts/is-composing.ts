/** Whether a key belongs to an input method that is composing. Safari ends composition before its keydown: code 229. */
export const isComposing = (event: KeyboardEvent): boolean =>
  // oxlint-disable-next-line typescript/no-deprecated -- the only sign that Safari gives
  event.isComposing || event.keyCode === 229;
