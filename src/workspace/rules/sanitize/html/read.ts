import type { Root } from 'mdast'
import rehypeParse from 'rehype-parse'
import { unified } from 'unified'
import type { Tally } from '../removal'
import { cleanTree } from './clean'
import { markdownNodes } from './tree'

const parser = unified().use(rehypeParse, { fragment: true }).freeze()

/** The document that HTML stands for, as a Markdown tree. Its links, images and texts are as the source has them. */
export function readHtml(html: string, tally: Tally): Root {
  return { type: 'root', children: markdownNodes(cleanTree(parser.parse(html), tally)) }
}
