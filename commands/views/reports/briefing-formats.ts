import { type Briefing, renderBriefingMarkdown } from './briefing'
import { renderMarkdownHtml } from './markdown-html'
import { renderMarkdownPlain } from './markdown-plain'
import { renderPage } from './page'

export function renderBriefingPage(answer: Briefing): string {
  return renderPage('Status briefing', renderMarkdownHtml(renderBriefingMarkdown(answer)))
}

export function renderBriefingPlain(answer: Briefing): string {
  return renderMarkdownPlain(renderBriefingMarkdown(answer))
}
