import type { Debris } from '../../model'
import { element, isElement } from './build'
import { attribute, type Element, type HtmlNode } from './nodes'
import { readAppearance } from './style'

/**
 * Cleans images, films and sounds. Images keep their address and alternative text, because the link policy is applied later. Films
 * and sounds become links. Returns null for other elements.
 */
export function cleanMedia(node: Element, debris: Debris[]): HtmlNode[] | null {
  const { tagName } = node
  if (tagName === 'img' || tagName === 'image') {
    if (isTrackingImage(node)) {
      debris.push({ type: 'debris', kind: 'tracking-image' })
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

/** Returns whether the image is an emoji. Chat programs write emoji as images whose alternative text is the emoji or its name. */
function isEmoji(node: Element, alt: string): boolean {
  if (alt === '') return false
  if (/^[\p{Extended_Pictographic}\p{Emoji_Component}]+$/u.test(alt) && /\P{ASCII}/u.test(alt)) return true
  return (
    /schema\.skype\.com\/emoji/i.test(attribute(node, 'itemtype')) ||
    /(?:^|\s)emoji(?:\s|$)/i.test(attribute(node, 'class'))
  )
}

/** Returns whether the image is at most two pixels wide or high. Such an image is loaded for tracking, not to be seen. */
function isTrackingImage(node: Element): boolean {
  const { width, height, style } = node.properties
  const sizes = [width, height].filter((size) => size !== undefined && size !== '').map(Number)
  if (sizes.some((size) => size <= 2)) return true
  return (
    typeof style === 'string' &&
    (/(?:^|[;\s])(?:max-)?(?:width|height)\s*:\s*[0-2](?:\.\d+)?px/i.test(style) || readAppearance(node).hidden)
  )
}
