/** The one UUID of all examples. */
export const uuid = '019aa5c3-7f2e-7c41-9d3b-5e8f2a6c1b04';
