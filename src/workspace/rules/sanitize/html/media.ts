import type { Element, ElementContent } from 'hast'
import type { Tally } from '../removal'
import { element, isElement } from './build'
import { appearanceOf } from './style'

/** Images keep their address and alternative text, for the policy of links to judge; films and sounds become links. Null for anything else. */
export function cleanMedia(node: Element, tally: Tally): ElementContent[] | null {
  const { tagName, properties } = node
  if (tagName === 'img' || tagName === 'image') {
    if (isTrackingImage(node)) {
      tally.add('tracking-image')
      return []
    }
    const src = textOf(properties['src'])
    const alt = textOf(properties['alt']) || textOf(properties['title'])
    return src || alt ? [element('img', [], { src, alt })] : []
  }
  if (tagName === 'audio' || tagName === 'video') {
    const source = node.children.find((child) => isElement(child, 'source'))
    const href = textOf(properties['src']) || (isElement(source) ? textOf(source.properties['src']) : '')
    return href ? [element('a', [{ type: 'text', value: textOf(properties['title']) || tagName }], { href })] : []
  }
  return null
}

function textOf(property: unknown): string {
  return typeof property === 'string' ? property.trim() : ''
}

/** At most two pixels wide or high: there to be loaded, not to be seen. */
function isTrackingImage(node: Element): boolean {
  const { width, height, style } = node.properties
  const sizes = [width, height].filter((size) => size !== undefined && size !== null && size !== '').map(Number)
  if (sizes.some((size) => size <= 2)) return true
  return (
    typeof style === 'string' &&
    (/(?:^|[;\s])(?:max-)?(?:width|height)\s*:\s*[0-2](?:\.\d+)?px/i.test(style) || appearanceOf(node).hidden)
  )
}
