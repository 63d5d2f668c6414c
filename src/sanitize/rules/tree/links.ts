import type { Image, Link, PhrasingContent } from 'mdast'
import { markOf, marks } from '../redact/marks'
import type { RemovalKind, Tally } from '../removal'
import { text, textOf } from './nodes'
import { judgeUrl, type UrlRules } from './url'

/** Addresses of images that no one is meant to see. Invisible ones of HTML are found by their size. */
const TRACKING_IMAGE =
  /(?:[/_.-]1x1\b|\/(?:pixel|spacer|blank|clear|transparent|beacon)\.(?:gif|png)|\/wf\/open|\/track(?:ing)?\/open|\/open\.aspx|\/e\/o\/)/i

/** What becomes of a link: a safe URL for it, or none; and what it is put around, or what is left in its place. */
export interface CleanLink {
  url: string | null
  children: PhrasingContent[]
}

export function cleanLink({ url, children }: Link, rules: UrlRules, tally: Tally): CleanLink {
  const verdict = judgeUrl(url, rules)
  const label = textOf(children).trim()
  if (verdict.url !== null) {
    for (const kind of verdict.without) tally.add(kind)
    const isBare = label === '' || label === url.trim()
    return { url: verdict.url, children: isBare ? [text(verdict.url)] : children }
  }
  if ('mailto' in verdict) return { url: null, children: mailLink(verdict.mailto, label, children, tally) }
  tally.add(verdict.because)
  // What a telephone link shows is a number, whatever its form.
  if (verdict.because === 'phone' && /\d.*\d.*\d/.test(label)) return { url: null, children: [text(marks.phone)] }
  return { url: null, children: label === url.trim() ? [text(markOf(verdict.because))] : children }
}

/** An address stays to be replaced as one; a name is a mention; anything else is what the link was about. */
function mailLink(address: string, label: string, children: PhrasingContent[], tally: Tally): PhrasingContent[] {
  if (label === '') return [text(address)]
  if (label.includes('@', 1)) return children
  if (!isName(label)) {
    tally.add('email')
    return children
  }
  tally.add('mention')
  return [text(marks.mention)]
}

const NAME_PARTICLE = /^(?:de|del|der|den|van|von|zu|da|di|du|la|le|el|bin|al|y|e)$/

/** `Jane Doe`, `DOE, Jane (External)`, `jdoe`; not `contact us`. */
function isName(label: string): boolean {
  const words = label.replace(/^@/, '').split(/[\s,]+/)
  return (
    words.length === 1 ||
    (words.length <= 6 && words.every((word) => !/^\p{Ll}/u.test(word) || NAME_PARTICLE.test(word)))
  )
}

/** An image would tell its host who reads the draft, so it becomes a link, inside a link its alternative text. */
export function cleanImage(image: Image, linked: boolean, rules: UrlRules, tally: Tally): PhrasingContent[] {
  const alternative = dropDefaultCaption((image.alt ?? '').trim()) || dropDefaultCaption((image.title ?? '').trim())
  if (TRACKING_IMAGE.test(image.url)) {
    tally.add('tracking-image')
    return []
  }
  const verdict = judgeUrl(image.url, rules)
  if (verdict.url === null) {
    tally.add('because' in verdict ? toImageRemoval(verdict.because) : 'unsafe-url')
    const shown = alternative || fileName(image.url)
    return shown ? [text(shown)] : []
  }
  tally.add('image')
  for (const kind of verdict.without) tally.add(kind)
  if (linked) return alternative ? [text(alternative)] : []
  return [{ type: 'link', url: verdict.url, children: [text(alternative || 'image')] }]
}

/** Editors fill in `Image` where nobody wrote what it shows. */
function dropDefaultCaption(alternative: string): string {
  return /^(?:image|img|picture|photo|graphic)$/i.test(alternative) ? '' : alternative
}

function toImageRemoval(because: RemovalKind): RemovalKind {
  return because === 'internal-link' ? 'attachment' : because
}

/** The tracker tells the name of an attachment in its address. */
function fileName(url: string): string {
  const name = /[?&]filename=([^&#]{1,200})/i.exec(url)?.[1] ?? ''
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
