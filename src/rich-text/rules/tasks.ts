import { pureTasks } from '../../kernel'
import { htmlToMarkdown } from './html-to-markdown'
import { markdownToHtml } from './markdown-to-html'

/** A long text as HTML that has no scripts and no styles and loads nothing. */
function toPageHtml(text: string, format: 'html' | 'markdown'): string {
  return markdownToHtml(format === 'html' ? htmlToMarkdown(text) : text, { images: false })
}

/** Conversions of long texts, which another thread can do. */
export const richTextTasks = pureTasks('rich-text', { toPageHtml })
