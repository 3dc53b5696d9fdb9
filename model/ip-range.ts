import ipaddr from 'ipaddr.js';

/** A range of IPv4 addresses. */
export interface IpRange {
  /** As it was written. */
  readonly text: string;
  /** First address as a number. */
  readonly first: number;
  /** Last address as a number. */
  readonly last: number;
}

/** Reads `10.1.0.0/16`; undefined when it is not a range, or has bits behind its prefix. */
export function parseIpRange(text: string): IpRange | undefined {
  if (!ipaddr.IPv4.isValidCIDR(text)) return undefined;
  const [address, prefix] = ipaddr.IPv4.parseCIDR(text);
  const first = numberOf(address);
  const size = 2 ** (32 - prefix);
  return first % size === 0 ? { text, first, last: first + size - 1 } : undefined;
}

/** An address as a number; undefined when it is none. */
export function parseIpAddress(text: string): number | undefined {
  return ipaddr.IPv4.isValidFourPartDecimal(text) ? numberOf(ipaddr.IPv4.parse(text)) : undefined;
}

/** Whether two ranges have an address in common. */
export function overlap(a: IpRange, b: IpRange): boolean {
  return a.first <= b.last && b.first <= a.last;
}

/** Whether `inner` lies in `outer` as a whole. */
export function contains(outer: IpRange, inner: IpRange): boolean {
  return outer.first <= inner.first && inner.last <= outer.last;
}

/** Number of addresses. */
export function sizeOf(range: IpRange): number {
  return range.last - range.first + 1;
}

function numberOf(address: ipaddr.IPv4): number {
  return address.octets.reduce((sum, octet) => sum * 256 + octet, 0);
}
