import type { Tally } from '../removal'
import { element, isElement } from './build'
import { attribute, type Element, type HtmlNode } from './nodes'
import { readAppearance } from './style'

/** Images keep their address and alternative text, for the policy of links to judge; films and sounds become links. Null for anything else. */
export function cleanMedia(node: Element, tally: Tally): HtmlNode[] | null {
  const { tagName } = node
  if (tagName === 'img' || tagName === 'image') {
    if (isTrackingImage(node)) {
      tally.add('tracking-image')
      return []
    }
    const src = trimmed(node, 'src')
    const alt = trimmed(node, 'alt') || trimmed(node, 'title')
    if (isEmoji(node, alt)) return [{ type: 'text', value: alt }]
    return src || alt ? [element('img', [], { src, alt })] : []
  }
  if (tagName === 'audio' || tagName === 'video') {
    const source = node.children.find((child) => isElement(child, 'source'))
    const href = trimmed(node, 'src') || (isElement(source) ? trimmed(source, 'src') : '')
    return href ? [element('a', [{ type: 'text', value: trimmed(node, 'title') || tagName }], { href })] : []
  }
  return null
}

function trimmed(node: Element, name: string): string {
  return attribute(node, name).trim()
}

/** Chat programs write an emoji as an image of it; its alternative text is the emoji itself, or its name. */
function isEmoji(node: Element, alt: string): boolean {
  if (alt === '') return false
  if (/^[\p{Extended_Pictographic}\p{Emoji_Component}]+$/u.test(alt) && /\P{ASCII}/u.test(alt)) return true
  return (
    /schema\.skype\.com\/emoji/i.test(attribute(node, 'itemtype')) ||
    /(?:^|\s)emoji(?:\s|$)/i.test(attribute(node, 'class'))
  )
}

/** At most two pixels wide or high: there to be loaded, not to be seen. */
function isTrackingImage(node: Element): boolean {
  const { width, height, style } = node.properties
  const sizes = [width, height].filter((size) => size !== undefined && size !== '').map(Number)
  if (sizes.some((size) => size <= 2)) return true
  return (
    typeof style === 'string' &&
    (/(?:^|[;\s])(?:max-)?(?:width|height)\s*:\s*[0-2](?:\.\d+)?px/i.test(style) || readAppearance(node).hidden)
  )
}
