import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { askForJson, jsonSchemaOf, parseJsonAnswer } from '../../../src/assistant/rules/answers/answer-forms'
import { applyRefinement, withSection } from '../../../src/assistant/rules/answers/apply-refinement'
import { parseMarkdownAnswer } from '../../../src/assistant/rules/answers/parse-markdown-answer'
import { targets } from '../../../src/assistant/rules/prompts/template'

const refined = (target: (typeof targets)[number], value: unknown) => {
  const reading = parseJsonAnswer(target, JSON.stringify(value))
  return 'refinement' in reading ? reading.refinement : reading.problems
}

describe('an answer in a form', () => {
  it.each(targets)('%s has a schema that the model is told', (target) => {
    const schema = jsonSchemaOf(target)
    expect(schema).toMatchObject({ type: 'object', properties: expect.any(Object) })
    expect(askForJson(target)).toContain(JSON.stringify(schema))
  })

  it('is found in a fence and behind a sentence too', () => {
    const json = '{"summary": "Short."}'
    for (const text of [json, `\`\`\`json\n${json}\n\`\`\``, `Here it is: ${json} I hope it helps.`])
      expect(parseJsonAnswer('summary', text)).toEqual({ refinement: { title: null, markdown: 'Short.' } })
  })

  it.each(['', 'Sure!', '[1, 2]', '{"summary": ', 'null'])('is refused where there is no object: %j', (text) => {
    expect(parseJsonAnswer('summary', text)).toEqual({ problems: ['It is not one JSON object.'] })
  })

  it('is refused with everything that is wrong with it', () => {
    expect(
      refined('acceptance-criteria', { criteria: [{ scenario: '', given: [], when: [], outcome: ['x'] }] }),
    ).toEqual([expect.stringContaining('criteria.0.scenario'), expect.stringContaining('criteria.0.when')])
  })

  it('writes acceptance criteria as Given, When, Then', () => {
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

  it('writes test cases as a table that no cell can break', () => {
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

  it('takes no diagram that cannot be drawn', () => {
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

  it('keeps no character that a terminal or a database would stumble over', () => {
    const answer = refined('story', { title: 'A\u001b[31m title\u0000', description: 'x\ud800\r\ny' })
    expect(answer).toEqual({ title: 'A[31m title', markdown: 'x\ufffd\ny' })
  })

  it('never throws, whatever it is', () => {
    fc.assert(
      fc.property(fc.constantFrom(...targets), fc.oneof(fc.json(), fc.string()), (target, text) => {
        const reading = parseJsonAnswer(target, text)
        expect('refinement' in reading || reading.problems.length > 0).toBe(true)
      }),
    )
  })
})

describe('an answer that was read as Markdown', () => {
  it('gives a story its title from its first heading', () => {
    expect(parseMarkdownAnswer('story', '# Tell the door\n\nAs a driver…')).toEqual({
      refinement: { title: 'Tell the door', markdown: 'As a driver…' },
    })
    expect(parseMarkdownAnswer('story', 'As a driver…')).toEqual({
      refinement: { title: null, markdown: 'As a driver…' },
    })
  })

  it('is taken for a diagram only where it holds one that can be drawn', () => {
    const good = 'Here:\n```mermaid\nsequenceDiagram\n  Driver->>Gate: hello\n```'
    expect(parseMarkdownAnswer('diagram', good)).toMatchObject({
      refinement: { markdown: expect.stringContaining('Driver->>Gate') },
    })
    expect(parseMarkdownAnswer('diagram', 'no diagram')).toHaveProperty('problems')
    expect(parseMarkdownAnswer('diagram', '```mermaid\nsequenceDiagram\n  Driver >> Gate\n```')).toHaveProperty(
      'problems',
    )
  })
})

describe('where an answer goes', () => {
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

  it('is no change where it says what is there', () => {
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

  it('is put at the end, or in the place of its former text', () => {
    expect(withSection(null, 'Summary', 'one')).toBe('## Summary\n\none')
    expect(withSection('intro\n\n', 'Summary', 'one')).toBe('intro\n\n## Summary\n\none')
    expect(withSection('a\n\n## Summary\n\nold\n\n### more\n\n## Next\n\nb', 'Summary', 'new')).toBe(
      'a\n\n## Summary\n\nnew\n\n## Next\n\nb',
    )
  })

  it('is not mistaken in code, and keeps its own headings below its own', () => {
    expect(withSection('```\n## Summary\n```', 'Summary', 'x')).toBe('```\n## Summary\n```\n\n## Summary\n\nx')
    expect(withSection(null, 'Summary', '# Big\ntext')).toBe('## Summary\n\n### Big\ntext')
  })

  it('put in twice is there once', () => {
    fc.assert(
      fc.property(markdown, markdown, (text, content) => {
        const once = withSection(text, 'Summary', content)
        expect(withSection(once, 'Summary', content)).toBe(once)
      }),
      { numRuns: 2000 },
    )
  })

  it('leaves every other line as it was', () => {
    fc.assert(
      fc.property(markdown, markdown, (text, content) => {
        fc.pre(!/^ {0,3}## +Summary/m.test(text))
        expect(
          withSection(text, 'Summary', content).startsWith(
            text.trim() === '' ? '## Summary' : text.trimEnd().split('\n')[0]!,
          ),
        ).toBe(true)
        const kept = withSection(text, 'Summary', content)
          .split('\n')
          .slice(0, text.trim() === '' ? 0 : text.trimEnd().split('\n').length)
        if (text.trim() !== '')
          expect(kept.join('\n').trimEnd()).toBe(text.split('\n').slice(0, kept.length).join('\n').trimEnd())
      }),
    )
  })
})
