const isWindows = (platform: NodeJS.Platform) => platform === 'win32'

/**
 * A value as one word of a command line. It prefers double quotes, because they work in every shell. On Windows the word means the same to
 * cmd and to PowerShell, except that a value with `$`, a backtick, quotes of print or the name of a variable of cmd is written for PowerShell.
 * cmd runs no part of it either.
 */
export function quoteForShell(value: string, platform: NodeJS.Platform = process.platform): string {
  return isWindows(platform) ? quoteForWindows(value) : quoteForSh(value)
}

/** `<id>` is a placeholder for what the reader chooses. Nothing in it could be a command. */
const PLACEHOLDER = /^<[\p{L}\p{N}-]+>$/u

function quoteForSh(value: string): string {
  if (/^[\p{L}\p{N}_@%+=:,./-]+$/u.test(value) || PLACEHOLDER.test(value)) return value
  return /["$`\\!]/.test(value) ? `'${value.replaceAll("'", `'\\''`)}'` : `"${value}"`
}

function quoteForWindows(value: string): string {
  const hasVariable = /%[^%:]*[%:]/.test(value)
  // PowerShell reads @ at the start of a word as a variable.
  if ((!hasVariable && /^[\p{L}\p{N}_%+=:./\\-][\p{L}\p{N}_@%+=:./\\-]*$/u.test(value)) || PLACEHOLDER.test(value))
    return value
  // To PowerShell, quotation marks of print are quotes too. Single quotes would not do: cmd does not know them, and runs what follows an &.
  const quoted = value.replace(/["\u201c-\u201e]/g, '$&$&').replace(/[$`]/g, '`$&')
  // cmd replaces variables also in quotes: %CMDCMDLINE:~0,1% is a quote, which would end them. To PowerShell, $() is nothing.
  const inner = hasVariable ? quoted.replaceAll('%', '%$$()') : quoted
  // A single backslash before the closing quote would make it part of the value.
  let end = inner.length
  while (inner[end - 1] === '\\') end--
  return `"${inner}${inner.slice(end)}"`
}

/** The command that sets a variable for the programs that the shell starts. */
export function commandToSet(name: string, value: string, platform: NodeJS.Platform = process.platform): string {
  if (isWindows(platform)) return `$env:${name} = '${value.replace(/['\u2018-\u201b]/g, '$&$&')}'`
  return `export ${name}=${quoteForSh(value)}`
}

/** The command by which the owner of a file or a folder may read it again; a folder is also opened and written to. */
export function commandToAllow(
  path: string,
  kind: 'file' | 'folder',
  platform: NodeJS.Platform = process.platform,
): string {
  if (isWindows(platform))
    return `icacls ${quoteForWindows(path)} /grant "${getWindowsUser()}:${kind === 'file' ? 'R' : '(OI)(CI)F'}"`
  return `chmod ${kind === 'file' ? 'u+r' : 'u+rwx'} ${quoteForSh(path)}`
}

/** The command after which only its owner can use a file; of a folder, after which only its owner can change it. */
export function commandToProtect(
  path: string,
  kind: 'file' | 'folder',
  platform: NodeJS.Platform = process.platform,
): string {
  if (isWindows(platform))
    return `icacls ${quoteForWindows(path)} /inheritance:r /grant:r "${getWindowsUser()}:${kind === 'file' ? 'F' : '(OI)(CI)F'}"`
  return `chmod ${kind === 'file' ? '600' : 'go-w'} ${quoteForSh(path)}`
}

/** How Windows names the user of this process. */
export function getWindowsUser(): string {
  const { USERDOMAIN, USERNAME = '<user>' } = process.env
  return USERDOMAIN ? `${USERDOMAIN}\\${USERNAME}` : USERNAME
}
