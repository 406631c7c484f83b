import { useEffect, useState } from 'react';

const pauseMs = 250;

/** Returns the value as it was when it last stayed the same for a moment, such as what is typed after a pause. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
