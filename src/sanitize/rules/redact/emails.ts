import { type Finding, findRunsWith, findWithin } from './finding'

/** The sign itself, as it is typed with full width, and as it stands in an address of the web. */
const AT_SIGNS = ['@', '\uff20', '\ufe6b', '%40']

/** A local part of at most 64 characters, as RFC 5321 has it, and a domain whose last label is made of letters. */
const ADDRESS =
  /(?<![\p{L}\p{M}\p{N}_+%])(?<it>[\p{L}\p{N}_+%][\p{L}\p{M}\p{N}._%+'’#-]{0,63}(?:[@\uff20\ufe6b]|%40)(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.){1,8}(?:[\p{L}\p{M}]{2,24}|xn--[a-z0-9-]{2,59}))(?![\p{L}\p{M}\p{N}])/dgu

/** `icon@2x.png` and its like are files. */
const FILE_ENDINGS = new Set('png jpg jpeg gif svg webp bmp ico css js mjs json html xml txt csv dll exe'.split(' '))

/** Domains that exist only inside an organization: such an address is the name of an account, not a mailbox. */
const DIRECTORY = /#ext#@|\.(?:onmicrosoft\.com|local|internal|corp|lan|intra)$/i

/** E-mail addresses, and account names that look the same. `git@host` is the way to a repository, nobody's address. */
export function findEmails(text: string): Finding[] {
  const runs = AT_SIGNS.flatMap((sign) => findRunsWith(text, sign))
  return findWithin(runs, ADDRESS, 'email').flatMap((finding) => {
    const address = text.slice(finding.start, finding.end)
    const ending = address.slice(address.lastIndexOf('.') + 1).toLowerCase()
    if (FILE_ENDINGS.has(ending) || /^git(?:@|%40)/.test(address)) return []
    return [DIRECTORY.test(address) ? { ...finding, kind: 'account' as const } : finding]
  })
}
