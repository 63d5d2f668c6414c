import { type Finding, findRunsWith, findWithin } from '../finding'

/** Lists the at sign, its full-width and small forms, and its percent-encoded form in web addresses. */
const AT_SIGNS = ['@', '\uff20', '\ufe6b', '%40']

/** Matches a local part of at most 64 characters, as RFC 5321 requires, and a domain whose last label consists of letters. */
const ADDRESS =
  /(?<![\p{L}\p{M}\p{N}_+%])(?<it>[\p{L}\p{N}_+%][\p{L}\p{M}\p{N}._%+'’#-]{0,63}(?:[@\uff20\ufe6b]|%40)(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.){1,8}(?:[\p{L}\p{M}]{2,24}|xn--[a-z0-9-]{2,59}))(?![\p{L}\p{M}\p{N}])/dgu

/** Excludes file names such as `icon@2x.png`. */
const FILE_ENDINGS = new Set('png jpg jpeg gif svg webp bmp ico css js mjs json html xml txt csv dll exe'.split(' '))

/** Matches domains that exist only inside an organization. Such an address is an account name, not a mailbox. */
const DIRECTORY = /#ext#@|\.(?:onmicrosoft\.com|local|internal|corp|lan|intra)$/i

/**
 * Finds e-mail addresses, and account names in the same form. `git@host` is excluded because it addresses a repository, not a
 * person.
 */
export function findEmails(text: string): Finding[] {
  const runs = AT_SIGNS.flatMap((sign) => findRunsWith(text, sign))
  return findWithin(runs, ADDRESS, 'email').flatMap((finding) => {
    const address = text.slice(finding.start, finding.end)
    const ending = address.slice(address.lastIndexOf('.') + 1).toLowerCase()
    if (FILE_ENDINGS.has(ending) || /^git(?:@|%40)/.test(address)) return []
    return [DIRECTORY.test(address) ? { ...finding, kind: 'account' as const } : finding]
  })
}
