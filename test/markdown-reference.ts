import type { Root } from 'mdast'
import { type Extension, fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'

/** Parses Markdown of GitHub with micromark, which represents the programs that will read our output. */
export function parseMarkdown(markdown: string, ...more: Extension[]): Root {
  return fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown(), ...more] })
}
