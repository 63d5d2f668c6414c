import type { Root } from 'mdast'
import type { Tally } from '../removal'
import { cleanTree } from './clean'
import { parseHtml } from './parse'
import { toMarkdownNodes } from './tree'

/** The document that HTML stands for, as a Markdown tree. Its links, images and texts are as the source has them. */
export function readHtml(html: string, tally: Tally): Root {
  return { type: 'root', children: toMarkdownNodes(cleanTree(parseHtml(html), tally)) }
}
