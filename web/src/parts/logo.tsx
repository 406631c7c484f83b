export const Logo = ({ size = 24 }: { size?: number }) => <img src="/favicon.svg" alt="" width={size} height={size} />;
