import { CodeBox } from './code-box.tsx';

/** A value as JSON, with a button that copies it. */
export const Json = ({ label, value }: { label: string; value: unknown }) => (
  <CodeBox label={label} text={JSON.stringify(value, null, 2)} />
);
