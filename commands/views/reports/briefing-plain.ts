import { type Briefing, briefingMarkdown } from './briefing'
import { markdownPlain } from './markdown-plain'

export function briefingPlain(answer: Briefing): string {
  return markdownPlain(briefingMarkdown(answer))
}
