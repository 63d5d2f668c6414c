/** The path of a file from the folder of its text on, without `./`; null for an address and for a path that begins elsewhere. */
export function toRelativePath(url: string): string | null {
  if (url === '' || /^(?:[a-z][a-z0-9+.-]*:|[/\\#?~])/i.test(url)) return null
  let path = url
  try {
    path = decodeURI(url)
  } catch {
    // It is written as it is.
  }
  while (path.startsWith('./') || path.startsWith('.\\')) path = path.slice(2)
  return path === '' ? null : path
}

/** The path as a text names it, so that it is read as the same again: one that has a percent sign or begins like an address is written out. */
export function toAddress(path: string): string {
  return toRelativePath(path) === path ? path : `./${path.replaceAll('%', '%25')}`
}
