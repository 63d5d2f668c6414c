import * as z from 'zod'

/** An address, and the name of who it belongs to. */
export interface Mailbox {
  /** Null if there is none. */
  name: string | null
  address: string
}

/** `Docks <docks@example.com>`: the name is words, or a text in quotes. */
const NAMED = /^(?:"((?:[^"\\]|\\.)*)"\s*|([^"<>@,;:()[\]\\]*))<([^<>\s]+)>$/
/** `docks@example.com (Docks)`, an older form. */
const COMMENTED = /^([^\s()<>]+)\s*\(([^()\\]*)\)$/
/** A local part in quotes: `"loading docks"@example.com`. */
const QUOTED_LOCAL_PART = /^"(?:[^"\\]|\\.)+"(?=@)/
const CONTROLS = /[\0-\x1f\x7f]/

const Address = z.email()

/** One mailbox as RFC 5322 writes it; null for anything else, such as a list of them. */
export function parseMailbox(text: string): Mailbox | null {
  const trimmed = text.trim()
  if (trimmed.length > MAX_LENGTH || CONTROLS.test(trimmed)) return null
  const named = NAMED.exec(trimmed)
  const commented = named === null ? COMMENTED.exec(trimmed) : null
  const address = named?.[3] ?? commented?.[1] ?? trimmed
  if (!Address.safeParse(address.replace(QUOTED_LOCAL_PART, 'quoted')).success) return null
  const quoted = named?.[1]?.replace(/\\(.)/g, '$1')
  const name = (quoted ?? named?.[2] ?? commented?.[2] ?? '').trim().replace(/\s+/g, ' ')
  return { name: name === '' ? null : name, address }
}

const MAX_LENGTH = 1_000

export function isMailbox(text: string): boolean {
  return parseMailbox(text) !== null
}
