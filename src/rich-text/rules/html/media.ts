import type { RootContent } from 'mdast'
import type { Debris } from '../../model'
import { note } from '../debris'
import { text } from '../tree/nodes'
import { attribute, type Element, findAttribute, isElement } from './parse'
import { readAppearance } from './style'

/** Reads images, films and sounds. Films and sounds become links. Returns null for other elements. */
export function readMedia(node: Element, debris: Debris[]): RootContent[] | null {
  const { tagName } = node
  if (tagName === 'img' || tagName === 'image') {
    if (isTrackingImage(node)) {
      note(debris, 'tracking-image')
      return []
    }
    const url = trimmed(node, 'src')
    const title = trimmed(node, 'title')
    const alt = trimmed(node, 'alt') || title
    if (isEmoji(node, alt)) return [text(alt)]
    return url || alt ? [{ type: 'image', url, alt, title: title === alt ? null : title }] : []
  }
  if (tagName === 'audio' || tagName === 'video') {
    const source = node.childNodes.find((child) => isElement(child, 'source'))
    const url = trimmed(node, 'src') || (isElement(source) ? trimmed(source, 'src') : '')
    return url ? [{ type: 'link', url, children: [text(trimmed(node, 'title') || tagName)] }] : []
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
  const sizes = ['width', 'height'].map((name) => findAttribute(node, name)).filter(Boolean)
  if (sizes.some((size) => Number(size) <= 2)) return true
  const style = attribute(node, 'style')
  return (
    style !== '' &&
    (/(?:^|[;\s])(?:max-)?(?:width|height)\s*:\s*[0-2](?:\.\d+)?px/i.test(style) || readAppearance(node).hidden)
  )
}
