import type { Image, Link, PhrasingContent, Text } from 'mdast'
import { linkAddresses, text, textOf } from '../../../rich-text'
import { LINK_MARK, markOf, marks } from '../redact/marks'
import type { RemovalKind, Tally } from '../removal'
import { isDefaultCaption } from './captions'
import { judgeUrl, type UrlRules } from './url'

/** Matches addresses of tracking images. Invisible images in HTML are found by their size. */
const TRACKING_IMAGE =
  /(?:[/_.-]1x1\b|\/(?:pixel|spacer|blank|clear|transparent|beacon)\.(?:gif|png)|\/wf\/open|\/track(?:ing)?\/open|\/open\.aspx|\/e\/o\/)/i

/** The result for a link: its safe URL and content, or null and the content that replaces it. */
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
  // The text of a telephone link is a phone number in any format.
  if (verdict.because === 'phone' && /\d.*\d.*\d/.test(label)) return { url: null, children: [text(marks.phone)] }
  return { url: null, children: label === url.trim() ? [text(markOf(verdict.because))] : children }
}

/**
 * Converts a mail link. An address remains, because a later step replaces it. A name becomes a mention, and any other text remains.
 */
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

/** Returns whether the label is a name: `Jane Doe`, `DOE, Jane (External)` or `jdoe`, but not `contact us`. */
function isName(label: string): boolean {
  const words = label.replace(/^@/, '').split(/[\s,]+/)
  return (
    words.length === 1 ||
    (words.length <= 6 && words.every((word) => !/^\p{Ll}/u.test(word) || NAME_PARTICLE.test(word)))
  )
}

/**
 * Converts an image to a link, because loading it would reveal to its host who reads the draft. Within a link it becomes its
 * alternative text.
 */
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

/** Judges the addresses in the text of a link. They remain text, without the parts that a link would lose. */
export function judgeAddresses(node: Text, rules: UrlRules, tally: Tally): Text[] {
  let hasChanged = false
  const parts = linkAddresses(node.value).map((part) => {
    if (part.type === 'text') return part.value
    const shown = textOf(part.children)
    const verdict = judgeUrl(part.url, rules)
    if (verdict.url === part.url) return shown
    hasChanged = true
    for (const kind of 'without' in verdict ? verdict.without : 'because' in verdict ? [verdict.because] : [])
      tally.add(kind)
    return verdict.url ?? ('because' in verdict ? markOf(verdict.because) : LINK_MARK)
  })
  return hasChanged ? [text(parts.join(''))] : [node]
}

/** Removes a default text such as `Image`, which editors insert if there is no description. */
function dropDefaultCaption(alternative: string): string {
  return isDefaultCaption(alternative) ? '' : alternative
}

function toImageRemoval(because: RemovalKind): RemovalKind {
  return because === 'internal-link' ? 'attachment' : because
}

/** Reads the name of an attachment from its address in the tracker. */
function fileName(url: string): string {
  const name = /[?&]filename=([^&#]{1,200})/i.exec(url)?.[1] ?? ''
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
