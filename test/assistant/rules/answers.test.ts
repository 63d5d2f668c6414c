import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { askForJson, parseJsonAnswer, toJsonSchema } from '../../../src/assistant/rules/answers/answer-forms'
import { applyRefinement, replaceSection } from '../../../src/assistant/rules/answers/apply-refinement'
import { parseMarkdownAnswer } from '../../../src/assistant/rules/answers/parse-markdown-answer'
import { targets } from '../../../src/assistant/rules/prompts/template'

const refined = (target: (typeof targets)[number], value: unknown) => {
  const reading = parseJsonAnswer(target, JSON.stringify(value))
  return 'refinement' in reading ? reading.refinement : reading.problems
}

describe('a JSON answer', () => {
  it.each(targets)('has a schema, which the prompt contains: %s', (target) => {
    const schema = toJsonSchema(target)
    expect(schema).toMatchObject({ type: 'object', properties: expect.any(Object) })
    expect(askForJson(target)).toContain(JSON.stringify(schema))
  })

  it('is found in a fence and after a sentence', () => {
    const json = '{"summary": "Short."}'
    for (const text of [json, `\`\`\`json\n${json}\n\`\`\``, `Here it is: ${json} I hope it helps.`])
      expect(parseJsonAnswer('summary', text)).toEqual({ refinement: { title: null, markdown: 'Short.' } })
  })

  it.each(['', 'Sure!', '[1, 2]', '{"summary": ', 'null'])('is rejected without an object: %j', (text) => {
    expect(parseJsonAnswer('summary', text)).toEqual({ problems: ['It is not one JSON object.'] })
  })

  it('is rejected with all its problems', () => {
    expect(
      refined('acceptance-criteria', { criteria: [{ scenario: '', given: [], when: [], outcome: ['x'] }] }),
    ).toEqual([expect.stringContaining('criteria.0.scenario'), expect.stringContaining('criteria.0.when')])
  })

  it('becomes acceptance criteria with Given, When, Then', () => {
    const criteria = [
      {
        scenario: 'Late *truck*',
        given: ['a booking', 'And a late truck'],
        when: ['When it checks in'],
        outcome: ['it waits', 'the dock is told'],
      },
    ]
    expect(refined('acceptance-criteria', { criteria })).toEqual({
      title: null,
      markdown: [
        '**Late truck**',
        '',
        '- **Given** a booking',
        '- **And** a late truck',
        '- **When** it checks in',
        '- **Then** it waits',
        '- **And** the dock is told',
      ].join('\n'),
    })
  })

  it('becomes a table of test cases whose cells are escaped', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (title, step) => {
        const answer = refined('test-cases', {
          cases: [{ title: `t${title}`, preconditions: [], steps: [`s${step}`], expected: 'ok' }],
        })
        const rows = (answer as { markdown: string }).markdown.split('\n')
        expect(rows).toHaveLength(3)
        for (const row of rows) expect(row.match(/(?<!\\)(?:\\\\)*\|/g)).toHaveLength(6)
      }),
    )
  })

  it('is rejected if its diagram is not valid', () => {
    expect(refined('diagram', { mermaid: 'flowchart LR\n  A[Gate] --> B' })).toEqual({
      title: null,
      markdown: '```mermaid\nflowchart LR\n  A[Gate] --> B\n```',
    })
    expect(refined('diagram', { mermaid: '```mermaid\nflowchart LR\n  A --> B\n```' })).toMatchObject({
      markdown: '```mermaid\nflowchart LR\n  A --> B\n```',
    })
    expect(refined('diagram', { mermaid: 'flowchart LR\n  A[Gate (north)] --> B' })).toEqual([
      expect.stringMatching(/line 2/),
    ])
  })

  it('has no control characters and no unpaired surrogates', () => {
    const answer = refined('story', { title: 'A\u001b[31m title\u0000', description: 'x\ud800\r\ny' })
    expect(answer).toEqual({ title: 'A[31m title', markdown: 'x\ufffd\ny' })
  })

  it('never causes an exception', () => {
    fc.assert(
      fc.property(fc.constantFrom(...targets), fc.oneof(fc.json(), fc.string()), (target, text) => {
        const reading = parseJsonAnswer(target, text)
        expect('refinement' in reading || reading.problems.length > 0).toBe(true)
      }),
    )
  })
})

describe('a Markdown answer', () => {
  it('takes the title of a story from the first heading', () => {
    expect(parseMarkdownAnswer('story', '# Tell the door\n\nAs a driver…')).toEqual({
      refinement: { title: 'Tell the door', markdown: 'As a driver…' },
    })
    expect(parseMarkdownAnswer('story', 'As a driver…')).toEqual({
      refinement: { title: null, markdown: 'As a driver…' },
    })
  })

  it('counts as a diagram only if it contains a valid one', () => {
    const good = 'Here:\n```mermaid\nsequenceDiagram\n  Driver->>Gate: hello\n```'
    expect(parseMarkdownAnswer('diagram', good)).toMatchObject({
      refinement: { markdown: expect.stringContaining('Driver->>Gate') },
    })
    expect(parseMarkdownAnswer('diagram', 'no diagram')).toHaveProperty('problems')
    expect(parseMarkdownAnswer('diagram', '```mermaid\npie\n  Driver\n```')).toHaveProperty('problems')
  })
})

describe('the fields that an answer changes', () => {
  const draft = { title: 'T', description: 'D', acceptanceCriteria: 'C' }
  const answer = { title: 'New', markdown: 'text' }

  it.each([
    ['story', ['title', 'description']],
    ['acceptance-criteria', ['acceptanceCriteria']],
    ['test-cases', ['description']],
    ['diagram', ['description']],
    ['summary', ['description']],
  ] as const)('%s changes %j and nothing else', (target, fields) => {
    expect(applyRefinement(draft, target, answer).map(({ field }) => field)).toEqual(fields)
  })

  it('are none if the text is the same', () => {
    expect(applyRefinement({ ...draft, acceptanceCriteria: 'text' }, 'acceptance-criteria', answer)).toEqual([])
  })
})

describe('a section of a description', () => {
  const markdown = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '# A',
          '## Summary',
          '## Other',
          '### Sub',
          '```',
          '~~~',
          '',
          'text',
          '## Diagram ##',
          '    ## code',
        ),
        fc.string(),
      ),
    )
    .map((lines) => lines.join('\n'))

  it('is appended, or replaces its former text', () => {
    expect(replaceSection(null, 'Summary', 'one')).toBe('## Summary\n\none')
    expect(replaceSection('intro\n\n', 'Summary', 'one')).toBe('intro\n\n## Summary\n\none')
    expect(replaceSection('a\n\n## Summary\n\nold\n\n### more\n\n## Next\n\nb', 'Summary', 'new')).toBe(
      'a\n\n## Summary\n\nnew\n\n## Next\n\nb',
    )
  })

  it('ignores headings in code, and lowers the headings of its content', () => {
    expect(replaceSection('```\n## Summary\n```', 'Summary', 'x')).toBe('```\n## Summary\n```\n\n## Summary\n\nx')
    expect(replaceSection(null, 'Summary', '# Big\ntext')).toBe('## Summary\n\n### Big\ntext')
  })

  it('is there once if it is inserted twice', () => {
    fc.assert(
      fc.property(markdown, markdown, (text, content) => {
        const once = replaceSection(text, 'Summary', content)
        expect(replaceSection(once, 'Summary', content)).toBe(once)
      }),
      { numRuns: 2000 },
    )
  })

  it('leaves every other line unchanged', () => {
    fc.assert(
      fc.property(markdown, markdown, (text, content) => {
        fc.pre(!/^ {0,3}## +Summary/m.test(text))
        expect(
          replaceSection(text, 'Summary', content).startsWith(
            text.trim() === '' ? '## Summary' : text.trimEnd().split('\n')[0]!,
          ),
        ).toBe(true)
        const kept = replaceSection(text, 'Summary', content)
          .split('\n')
          .slice(0, text.trim() === '' ? 0 : text.trimEnd().split('\n').length)
        if (text.trim() !== '')
          expect(kept.join('\n').trimEnd()).toBe(text.split('\n').slice(0, kept.length).join('\n').trimEnd())
      }),
    )
  })
})
