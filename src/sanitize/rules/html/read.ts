import type { Root } from 'mdast'
import type { Tally } from '../removal'
import { cleanTree } from './clean'
import { parseHtml } from './parse'
import { toMarkdownNodes } from './tree'

/** Reads HTML as a Markdown tree. Links, images and text remain as in the source. */
export function readHtml(html: string, tally: Tally): Root {
  return { type: 'root', children: toMarkdownNodes(cleanTree(parseHtml(html), tally)) }
}
