import { type Boundary, boundaryRule, type Message, markOff } from '../../assistant'

const TASK = `You write status briefings for directors. You are given a briefing that was made by fixed rules: its figures are right, and
its wording is dull. Write it anew, in Markdown and in at most 300 words: one sentence that says where the work stands; what is at
risk, and why; what holds it up; what was completed; what needs a decision.

Take every figure from the material as it stands there, in digits. Compute, round, add, estimate and foretell nothing. Name a work
item as #id and its title. Where the material does not tell, say nothing. Give the briefing alone, without a word before or after it.`

/** The messages that ask for a briefing in a model's words. `deterministic` is the text made by rules, whose titles others wrote. */
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
