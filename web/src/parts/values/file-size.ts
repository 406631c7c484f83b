/** "1.2 MB". */
export function fileSize(bytes: number): string {
  if (bytes < 1_000) return inUnit(bytes, 'bytes');
  return bytes < 1_000_000 ? inUnit(bytes / 1_000, 'kB') : inUnit(bytes / 1_000_000, 'MB');
}

function inUnit(value: number, unit: 'bytes' | 'kB' | 'MB'): string {
  const maximumFractionDigits = value < 10 && unit !== 'bytes' ? 1 : 0;
  return `${value.toLocaleString(undefined, { maximumFractionDigits })} ${unit}`;
}
