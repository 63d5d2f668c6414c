/** Whether an address is in 127.0.0.0/8, also in its IPv6 form, or is ::1. Host names are not resolved. */
export function isLoopback(address: string | undefined): boolean {
  if (address === '127.0.0.1' || address === '::1') return true
  const octets = /^(?:::ffff:)?127\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/i.exec(address ?? '')?.slice(1)
  return octets?.every((octet) => Number(octet) <= 255) ?? false
}

/** Whether the host of a URL is this machine, by its name or its address. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''))
}
