import type { Root } from 'mdast'
import { isHostile } from './html/hostile'
import { readHtml } from './html/read'
import { limits } from './limits'
import { writeMarkdown } from './markdown/write'
import { htmlToLines } from './plain-text/html'
import { normalize } from './tree/blocks'
import { text } from './tree/nodes'

/**
 * Converts HTML of the tracker to Markdown (GFM). Keeps all that is shown and removes nothing for privacy: `sanitizeText` does that.
 * Colours, fonts and merged cells have no form in Markdown and are lost. HTML that is made to be expensive becomes plain text.
 */
export function htmlToMarkdown(html: string): string {
  return writeMarkdown(readAnyHtml(html))
}

function readAnyHtml(html: string): Root {
  if (html.length <= limits.htmlCharacters && !isHostile(html)) {
    try {
      return readHtml(html)
    } catch (error) {
      // The elements are nested too deeply.
      if (!(error instanceof RangeError)) throw error
    }
  }
  return normalize(
    htmlToLines(html)
      .split('\n')
      .map((line) => ({ type: 'paragraph', children: [text(line)] })),
  )
}
