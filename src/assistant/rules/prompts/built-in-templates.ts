import type { Template } from './template'

/** The templates that come with studio. They specify what to write; the target decides the format of the answer. */
export const builtInTemplates: readonly Template[] = [
  {
    id: 'story',
    name: 'Rewrite the story',
    description: 'A title and a description that a team can start from: who wants what, why, and what is known',
    target: 'story',
    template: [
      'Rewrite this story so that {{audience=a product team}} can start from it.',
      '{{story}}',
      'Say in the first sentence who wants what, and why. Then give the facts that are needed, briefly, under headings where that helps.',
      'Keep every fact, number, name and limit that is there. Add none: where something is missing that a team must know, list it under "Open questions".',
      'Write in the language of the story.',
    ].join('\n\n'),
  },
  {
    id: 'acceptance-criteria',
    name: 'Write acceptance criteria',
    description: 'Scenarios as Given, When, Then: the main path, its limits, and what can go wrong',
    target: 'acceptance-criteria',
    template: [
      'Write the acceptance criteria of this story as scenarios: Given, When, Then.',
      '{{story}}',
      'Begin with the main path, then its limits, then what can go wrong. Each scenario tests one thing, and each Then can be observed from outside.',
      'Use criteria that are there already, and add what they leave out. Invent no rule that the story does not imply.',
      'Write the steps in the language of the story.',
    ].join('\n\n'),
  },
  {
    id: 'test-cases',
    name: 'Write test cases',
    description: 'A table of test cases: preconditions, steps and the expected result',
    target: 'test-cases',
    template: [
      'Write the test cases for this story.',
      '{{story}}',
      'Cover every acceptance criterion, the values at each limit and just beyond it, wrong input, and what happens when a part fails or a step is repeated.',
      'Give concrete values that can be entered, not classes of values. Write in the language of the story.',
    ].join('\n\n'),
  },
  {
    id: 'diagram',
    name: 'Draw a diagram',
    description: 'A Mermaid diagram of what the story describes',
    target: 'diagram',
    template: [
      'Draw what this story describes as one Mermaid diagram.',
      '{{story}}',
      'Use flowchart for decisions and steps, sequenceDiagram for messages between people and systems, stateDiagram-v2 for the states of a thing; no other kind.',
      'At most {{nodes=15}} nodes. Node names are letters and digits; put labels with any other character in double quotes. Use no styles, links or icons.',
    ].join('\n\n'),
  },
  {
    id: 'summary',
    name: 'Summarize',
    description: 'A few sentences for someone who will not read the whole story',
    target: 'summary',
    template: [
      'Summarize this story for {{audience=a stakeholder who will not read the whole story}}, in at most {{sentences=four}} sentences.',
      '{{story}}',
      'Say what changes for whom, how far it is where that is known, and what is open. Take every number from the text. Write in the language of the story.',
    ].join('\n\n'),
  },
]
