import type { Root, RootContent } from 'mdast'
import type { Debris } from '../../model'
import { normalize } from '../tree/blocks'
import { groupListItems } from './lists'
import { parseHtml } from './parse'
import { readElements } from './read-elements'

/** Reads HTML as a document. It throws a RangeError if elements are nested too deeply. */
export function readHtml(html: string): Root {
  const debris: Debris[] = []
  return normalize([...readFragment(html, debris), ...debris])
}

/**
 * Reads HTML that is a part of a document, and collects its debris. Inline nodes may be between blocks, and whitespace between nodes,
 * because `normalize` follows for the whole document.
 */
export function readFragment(html: string, debris: Debris[]): RootContent[] {
  return groupListItems(readElements(parseHtml(html), { debris, level: 0, tables: { count: 0 }, isCode: false }))
}
