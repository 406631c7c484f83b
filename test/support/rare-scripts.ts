/** Letters whose case an older version of Unicode does not know. PostgreSQL may be built with one. */
export const rareScripts =
  /[\p{Cn}\p{sc=Georgian}\p{sc=Glagolitic}\p{sc=Vithkuqi}\p{sc=Medefaidrin}\u1c89\u1c8a\u2c2f\u2c5f\ua7b8-\ua7ff]/u;
