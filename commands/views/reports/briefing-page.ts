import { type Briefing, renderBriefingMarkdown } from './briefing'
import { renderMarkdownHtml } from './markdown-html'
import { renderPage } from './page'

export function renderBriefingPage(answer: Briefing): string {
  return renderPage('Status briefing', renderMarkdownHtml(renderBriefingMarkdown(answer)))
}
