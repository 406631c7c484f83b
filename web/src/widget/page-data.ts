/** Data about the embed, contained in the frame's page. */
export interface PageData {
  id: string;
  title: string;
  color: string;
  position: string;
  language: string | null;
  dark: 'auto' | 'light' | 'dark';
  challenge: 'none' | 'simulated' | 'turnstile';
  siteKey: string | null;
}

export function readPageData(): PageData {
  const content = document.querySelector<HTMLMetaElement>('meta[name="embed"]')?.content ?? '{}';
  return JSON.parse(content) as PageData;
}
