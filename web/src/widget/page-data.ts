/** What the page of the frame says about its embed. */
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
