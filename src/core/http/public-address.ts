import ipaddr from 'ipaddr.js';

/** Ranges that `allowPrivate` permits: this machine and its private networks, but never link-local. */
const privateRanges = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

/**
 * Addresses outside the link-local range at which clouds serve a machine's credentials: Alibaba, AWS, Google, Azure.
 */
const metadataAddresses = new Set(['100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254', '168.63.129.16']);

const ipv4Compatible = ipaddr.parseCIDR('::/96') as [ipaddr.IPv6, number];

/**
 * Returns whether a connection to this IP address is allowed. Only plain unicast is: an IPv4-mapped address is checked
 * as the IPv4 address, and every kind of translated or tunnelled address is rejected.
 */
export function isAllowedAddress(address: string, allowPrivate: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (metadataAddresses.has(parsed.toString())) return false;
  const range = parsed.range();
  if (allowPrivate && privateRanges.has(range)) return true;
  if (range !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || !parsed.match(ipv4Compatible);
}
