const units = ['bytes', 'kB', 'MB'] as const;

/** "1.2 MB". */
export function fileSize(bytes: number): string {
  const place = bytes < 1_000 ? 0 : bytes < 1_000_000 ? 1 : 2;
  const value = bytes / 1_000 ** place;
  return `${value.toLocaleString(undefined, { maximumFractionDigits: value < 10 && place > 0 ? 1 : 0 })} ${units[place]}`;
}
