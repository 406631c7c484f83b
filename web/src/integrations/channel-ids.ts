/** Returns the ids in a text, which are separated by spaces or commas. */
export const channelIdsIn = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);
