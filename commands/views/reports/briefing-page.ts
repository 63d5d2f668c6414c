import { type Briefing, briefingMarkdown } from './briefing'
import { markdownHtml } from './markdown-html'
import { page } from './page'

export function briefingPage(answer: Briefing): string {
  return page('Status briefing', markdownHtml(briefingMarkdown(answer)))
}
