import { decodePart } from '../../../kernel/text/text'
import { findLinkLabel } from '../../services/parts/text-files'

/** A file that a text shows. */
export interface BodyFile {
  /** As the text has it. */
  url: string
  /** A path may be in it. */
  name: string
  /** The part of the address by which a signed address of the same file is known; null if the address needs no signature. */
  key: string | null
}

/** Hosts on which GitHub once stored the images of all repositories, for everyone. */
const OPEN_HOSTS = new Set(['user-images.githubusercontent.com', 'cloud.githubusercontent.com'])

/** The paths of files: of images and videos, and of others. Older ones are below the repository, or below its storage on a server of your own. */
const ASSET =
  /^(?:\/user-attachments\/assets|\/[\w.-]{1,100}\/[\w.-]{1,100}\/assets\/\d{1,20}|\/storage\/user\/\d{1,20}\/files)\/([0-9a-f-]{36})$/i
const FILE = /^(?:\/user-attachments\/files|\/[\w.-]{1,100}\/[\w.-]{1,100}\/files)\/\d{1,20}\/([^/]{1,300})$/i

const MAX_TAG_LENGTH = 300
const MAX_FILES = 1_000

/** The files of a text in Markdown and HTML, each once, in the order of the text. `webBase` is the address of the pages of GitHub. */
export function findBodyFiles(text: string, webBase: string): BodyFile[] {
  const files = new Map<string, BodyFile>()
  for (const match of text.matchAll(/https?:\/\/[^\s"'<>()[\]\\]{1,1000}/g)) {
    const file = toFile(match[0], findLabel(text, match.index), webBase)
    if (file !== null && !files.has(file.url)) files.set(file.url, file)
    if (files.size >= MAX_FILES) break
  }
  return [...files.values()]
}

function toFile(address: string, label: string | null, webBase: string): BodyFile | null {
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  const lastPart = decodePart(url.pathname.split('/').at(-1) ?? '')
  if (url.protocol === 'https:' && OPEN_HOSTS.has(url.host))
    return { url: address, name: lastPart || 'image', key: null }
  if (url.origin !== new URL(webBase).origin) return null
  const [, asset] = ASSET.exec(url.pathname) ?? []
  if (asset !== undefined) return { url: address, name: label ?? asset, key: asset.toLowerCase() }
  return FILE.test(url.pathname) ? { url: address, name: lastPart, key: url.pathname.toLowerCase() } : null
}

/** The text of a link or an image in Markdown, or the alternative text of one in HTML, before an address. */
function findLabel(text: string, index: number): string | null {
  const label = findLinkLabel(text, index)
  if (label !== null) return toLabel(label)
  const before = text.slice(Math.max(0, index - MAX_TAG_LENGTH), index)
  const tag = before.slice(before.lastIndexOf('<') + 1) + text.slice(index, index + 2 * MAX_TAG_LENGTH).split('>')[0]
  return /^img\b/i.test(tag) ? toLabel(/\balt="([^"]{0,300})"/i.exec(tag)?.[1] ?? '') : null
}

/** GitHub writes `image` and `Image` for images that were pasted. */
function toLabel(label: string): string | null {
  const trimmed = label.replace(/\s+/g, ' ').trim()
  return trimmed === '' || /^image$/i.test(trimmed) ? null : trimmed
}

/**
 * The signed address of a file in a text as GitHub shows it. It expires within minutes. Other addresses in the text are those of its author, so
 * only hosts of GitHub count.
 */
export function findSignedAddress(html: string, key: string, webBase: string): URL | null {
  for (const [, address = ''] of html.matchAll(/\b(?:src|href)="([^"\s]{1,4000})"/g)) {
    const plain = address.replaceAll('&amp;', '&')
    if (!plain.toLowerCase().includes(key) || !URL.canParse(plain, webBase)) continue
    const url = new URL(plain, webBase)
    const isSigned = /[?&](?:jwt|token|X-Amz-Signature|sig)=/i.test(url.search)
    if (isSigned && isHostOfGitHub(url, new URL(webBase))) return url
  }
  return null
}

function isHostOfGitHub({ protocol, host, hostname }: URL, web: URL): boolean {
  if (host === web.host && protocol === web.protocol) return true
  const isKnown = hostname.endsWith('.githubusercontent.com') || hostname.endsWith(`.${web.hostname}`)
  return protocol === 'https:' && isKnown
}
