import * as z from 'zod'
import { answerForm } from './form'
import { line } from './texts'

const MOST_SCENARIOS = 40
const steps = z.array(line(500)).min(1).max(12)

const Scenario = z.object({
  scenario: line(200),
  given: z.array(line(500)).max(12),
  when: steps,
  outcome: steps,
})

export const acceptanceCriteriaForm = answerForm({
  schema: z.object({ criteria: z.array(Scenario).min(1).max(MOST_SCENARIOS) }),
  ask: 'criteria: one entry a scenario. scenario: its name. given, when, outcome: the steps of Given, When and Then, a list each, without these words or And in front.',
  askMarkdown:
    'Answer in Markdown: for each scenario its name in bold, below it a list of its steps, each beginning with **Given**, **When**, **Then** or **And**.',
  refine: ({ criteria }) => ({ title: null, markdown: criteria.map(scenarioMarkdown).join('\n\n') }),
})

function scenarioMarkdown({ scenario, given, when, outcome }: z.infer<typeof Scenario>): string {
  const steps = [...named('Given', given), ...named('When', when), ...named('Then', outcome)]
  return [`**${scenario.replace(/\*/g, '')}**`, '', ...steps].join('\n')
}

/** A model that writes the word itself, in spite of what it was told, does not make it stand there twice. */
function named(word: string, steps: readonly string[]): string[] {
  return steps.map(
    (step, i) => `- **${i === 0 ? word : 'And'}** ${step.replace(/^(?:given|when|then|and)\b[,:]?\s+/i, '')}`,
  )
}
