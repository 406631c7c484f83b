export interface PaletteEntry {
  key: string;
  label: string;
  hint?: string;
  run: () => void;
}

export interface PaletteGroup {
  label: string;
  entries: PaletteEntry[];
  /** Found by the service's search, so it is not filtered by the typed words. */
  isFound?: boolean;
}

/** All screens of the settings fit. */
const maximumOfGroup = 8;

/** Returns the entries that contain every typed word, the best of each group. */
export function groupsOf(groups: readonly PaletteGroup[], typed: string): PaletteGroup[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ label, hint = '' }: PaletteEntry): boolean => {
    const text = `${label} ${hint}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return groups
    .map((group) => ({
      ...group,
      entries: (group.isFound ? group.entries : group.entries.filter(matches)).slice(0, maximumOfGroup),
    }))
    .filter(({ entries }) => entries.length > 0);
}
