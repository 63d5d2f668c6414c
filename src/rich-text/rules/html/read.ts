import type { Root, RootContent } from 'mdast'
import type { Debris } from '../../model'
import { cleanTree } from './clean'
import { parseHtml } from './parse'
import { toMarkdownNodes } from './tree'

/** Reads HTML as a document. Links, images and text remain as in the source. */
export function readHtml(html: string): Root {
  const debris: Debris[] = []
  return { type: 'root', children: [...readFragment(html, debris), ...debris] }
}

/** Reads HTML that is a part of a document, and collects its debris. */
export function readFragment(html: string, debris: Debris[]): RootContent[] {
  return toMarkdownNodes(cleanTree(parseHtml(html), debris))
}
