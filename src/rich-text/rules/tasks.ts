import { pureTasks } from '../../kernel'
import { htmlToMarkdown } from './html-to-markdown'
import { limits } from './limits'
import { isHostile } from './markdown/hostile'
import { showMentions } from './markdown/mention'
import { readMarkdown } from './markdown/read'
import { writeMarkdown } from './markdown/write'
import { markdownToHtml } from './markdown-to-html'

/** A long text as HTML that has no scripts and no styles and loads nothing. */
function toPageHtml(text: string, format: 'html' | 'markdown'): string {
  return markdownToHtml(format === 'html' ? htmlToMarkdown(text) : text, { images: false })
}

/**
 * A long text as Markdown that people read, written in one way whatever its format. A text that is made to be expensive stays as it is.
 */
function toMarkdown(text: string, format: 'html' | 'markdown'): string {
  if (format === 'html') return showMentions(htmlToMarkdown(text))
  if (text.length > limits.markdownCharacters || isHostile(text)) return text
  try {
    return showMentions(writeMarkdown(readMarkdown(text)))
  } catch (error) {
    // The elements are nested too deeply.
    if (error instanceof RangeError) return text
    throw error
  }
}

/** Conversions of long texts, which another thread can do. */
export const richTextTasks = pureTasks('rich-text', { toPageHtml, toMarkdown })
