import ipaddr from 'ipaddr.js';

/** Ranges that `allowPrivate` opens: this machine and the networks around it, never link-local. */
const privateRanges = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

/** Where clouds serve a machine's credentials outside of the link-local range: Alibaba, AWS, Google, Azure. */
const metadataAddresses = new Set(['100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254', '168.63.129.16']);

const ipv4Compatible = ipaddr.parseCIDR('::/96') as [ipaddr.IPv6, number];

/**
 * Whether a connection may be made to this IP address. Only plain unicast is allowed: what is mapped is judged as the
 * IPv4 address that it means, and every kind of translated or tunnelled address is refused.
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
