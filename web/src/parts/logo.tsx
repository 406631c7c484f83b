/** The icon of the page, which needs no request. */
const source = document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href;

export const Logo = ({ size = 24 }: { size?: number }) => <img src={source} alt="" width={size} height={size} />;
