import type { Element, Root as HastRoot } from 'hast'
import type { Root } from 'mdast'
import rehypeParse from 'rehype-parse'
import rehypeRemark from 'rehype-remark'
import { unified } from 'unified'
import type { Tally } from '../removal'
import { shownText } from './build'
import { cleanTree } from './clean'
import { tableHandler } from './table'

const parser = unified().use(rehypeParse, { fragment: true }).freeze()

const converter = unified()
  .use(rehypeRemark, {
    handlers: {
      table: tableHandler,
      pre: (_state, node: Element) => ({
        type: 'code',
        lang: typeof node.properties['language'] === 'string' ? node.properties['language'] : null,
        value: shownText(node.children),
      }),
    },
  })
  .freeze()

/** The document that HTML stands for, as a Markdown tree. Its links, images and texts are as the source has them. */
export function readHtml(html: string, tally: Tally): Root {
  const tree: HastRoot = parser.parse(html)
  return converter.runSync(cleanTree(tree, tally)) as Root
}
