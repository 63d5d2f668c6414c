import { type Boundary, boundaryRule, type Message, markOff } from '../../assistant'

const TASK = `You write status briefings for executives. The material is a briefing that was made by fixed rules: its figures are correct,
and it repeats itself. Rewrite it in Markdown and in plain English, in at most 250 words, in this order:

1. One sentence that says where the work stands, and whether it is on track.
2. The decisions that are needed: what has to be decided, by whom, and what it unblocks. If the material names none, write "No decision is needed."
3. What changed since the date that the material gives: what was completed, and what was started or added.
4. What is at risk or blocked, with the cause.

Write short, active sentences that somebody who knows neither the tracker nor its terms understands. Do not explain how a figure is
calculated, which rule or threshold it follows, or how this text was written. Leave out statistics that support no statement above.

Copy every figure from the material unchanged, in digits. Do not calculate, round, add, estimate or predict. Name a work item as #id
and its title. Leave out what the material does not say. Answer with the briefing alone, with no text before or after it.`

/** The messages that ask for a briefing in a model's words. `deterministic` is the text made by rules, without its methodology; others wrote the titles in it. */
export function briefingPrompt(deterministic: string, boundary: Boundary): Message[] {
  return [
    { role: 'system', content: `${TASK}\n\n${boundaryRule(boundary)}` },
    { role: 'user', content: `${markOff(boundary, 'basis', deterministic)}\n\nWrite the briefing.` },
  ]
}

/** What the model wrote, without a fence around the whole of it or marks that it repeated. */
export function briefingOf(answer: string, boundary: Boundary): string {
  const unmarked = answer.replaceAll(new RegExp(`</?data-${boundary.word}[^<>]*>`, 'g'), '').trim()
  const fenced = /^(`{3,}|~{3,})[a-z]*\n([\s\S]*)\n\1$/i.exec(unmarked)
  return (fenced?.[2] ?? unmarked).trim()
}
