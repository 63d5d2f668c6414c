/** The address without credentials, query and trailing slash: safe to show, and a stable key. */
export function stripCredentials(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname.replace(/(?<!\/)\/+$/, '')}`
}
