import { type Briefing, renderBriefingMarkdown } from './briefing'
import { renderMarkdownPlain } from './markdown-plain'

export function renderBriefingPlain(answer: Briefing): string {
  return renderMarkdownPlain(renderBriefingMarkdown(answer))
}
